import { z } from "zod";
import type { EndReason } from "../domain/call/end-reason.ts";
import { storableText } from "../domain/shared/storable-text.ts";
import { type DeepReadonly, typed } from "./fields.ts";

const callId = z.templateLiteral(["call_", z.string()]);
const text = (min: number) => z.string().min(min).max(4_096).transform(storableText);

/** The query of the phone's WebSocket. `phone`: its id; absent: a new one for this connection. */
export const phoneQuery = z.object({
  phone: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
});

/**
 * Messages from a phone (docs/api.md §10). `heard`: how much of the current utterance was shown or
 * spoken.
 */
export const fromPhone = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["answer", "decline", "hang_up"]), callId }),
  z.object({ type: z.literal("said"), callId, text: text(1) }),
  z.object({ type: z.literal("speaking"), callId, heard: text(0).optional() }),
  z.object({ type: z.literal("digit"), callId, digit: z.string().regex(/^[0-9*#]$/) }),
]);
export type FromPhone = DeepReadonly<z.infer<typeof fromPhone>>;

/**
 * Messages to a phone (docs/api.md §10). `cleared`: speech that was not spoken yet is dropped. `endReason`
 * null: another phone took the call.
 */
export const toPhone = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("ringing"),
    callId,
    from: z.templateLiteral(["+", z.string()]),
    assistantName: z.string(),
  }),
  z.object({ type: z.enum(["answered", "cleared"]), callId }),
  z.object({ type: z.literal("text"), callId, token: z.string(), last: z.boolean() }),
  z.object({ type: z.literal("ended"), callId, endReason: typed<EndReason>(z.string()).nullable() }),
]);
export type ToPhone = DeepReadonly<z.infer<typeof toPhone>>;
