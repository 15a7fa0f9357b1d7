import { z } from "zod";
import type { FromPhone } from "../../application/ports/phones.ts";
import { storableText } from "../../domain/shared/storable-text.ts";

/** Characters; a person types fewer at once. */
export const LONGEST_FRAME = 16 * 1024;

const callId = z.templateLiteral(["call_", z.string()]);
const frame = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["answer", "decline", "hang_up"]), callId }),
  z.object({ type: z.literal("said"), callId, text: z.string().min(1).max(4_096).transform(storableText) }),
  z.object({
    type: z.literal("speaking"),
    callId,
    heard: z.string().max(4_096).transform(storableText).optional(),
  }),
  z.object({ type: z.literal("digit"), callId, digit: z.string().regex(/^[0-9*#]$/) }),
]);

/** null: not a frame of a phone; it is ignored. */
export function readFrame(text: string): FromPhone | null {
  try {
    return frame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
