import { z } from "zod";
import type { CarrierEvent, LookupResult, PlaceCall } from "../../application/ports/carrier.ts";
import { type EndReason, isEndReason } from "../../domain/call/end-reason.ts";
import { callSchema as callOfTheCarrier } from "../carrier/carrier-records.ts";

/**
 * Messages between the service and the carrier program. Both are ours: shapes are checked,
 * unknown fields are allowed.
 */
const instant = z.templateLiteral([z.string(), "Z"]);
const callId = z.templateLiteral(["call_", z.string()]);
const endReason = z.custom<EndReason>(
  (value) => typeof value === "string" && isEndReason(value),
  "must be an end reason",
);
const endedBy = z.enum(["customer", "assistant", "api", "system"]).nullable();
const answeredBy = z.enum(["human", "machine", "unknown"]);

const reported = {
  dedupeKey: z.string(),
  callId,
  carrierRef: z.string(),
  sequence: z.int().min(1),
  occurredAt: instant,
};

export const carrierEventSchema = z.discriminatedUnion("type", [
  z.object({ ...reported, type: z.literal("ringing") }),
  z.object({ ...reported, type: z.literal("answered"), answeredBy }),
  z.object({
    ...reported,
    type: z.literal("recording"),
    status: z.enum(["available", "failed"]),
    recordingRef: z.string().nullable(),
  }),
  z.object({
    ...reported,
    type: z.literal("ended"),
    endReason,
    endedBy,
    answeredAt: instant.nullable(),
    answeredBy: answeredBy.nullable(),
    recordingExpected: z.boolean(),
    carrierCode: z.string().nullable(),
  }),
]) satisfies z.ZodType<CarrierEvent>;

export const callbackSchema = z.object({ events: z.array(carrierEventSchema).min(1).max(1_000) });

export const placementSchema = z.object({ carrierRef: z.string() });
export const rejectionSchema = z.object({
  endReason,
  carrierCode: z.string().nullable(),
  message: z.string(),
});
/** Header of a dial request: the installation. */
export const INSTALLATION_HEADER = "x-installation";
/** Header of a dial request: the journal that it is meant for. */
export const JOURNAL_HEADER = "x-journal";
/** In answers that name the journal, and in queries for one. */
export const journalSchema = z.object({ journal: z.string().min(1) });
export const callsSinceSchema = z.object({ calls: z.array(callOfTheCarrier) });
/** Query of `GET /calls`. */
export const callsQuerySchema = z.object({ installation: z.string().min(1), since: instant });
export const hangUpSchema = z.object({ result: z.enum(["done", "already_ended", "unknown"]) });

export const lookupSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("found"),
    carrierRef: z.string(),
    status: z.enum(["ringing", "connected", "in_progress", "ended"]),
    endReason: endReason.nullable(),
    endedAt: instant.nullable(),
    answeredAt: instant.nullable(),
    answeredBy: answeredBy.nullable(),
    endedBy,
    recordingRef: z.string().nullable(),
  }),
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("ambiguous") }),
]) satisfies z.ZodType<LookupResult>;

const placeCallShape = z
  .object({
    callId,
    from: z.templateLiteral(["+", z.string()]),
    to: z.templateLiteral(["+", z.string()]),
    ringTimeoutSeconds: z.number().positive(),
    maxDurationSeconds: z.number().positive(),
    voicemailPolicy: z.enum(["hang_up", "leave_message", "ignore"]),
  })
  .loose();

/** A dial request; null when the body has another form. */
export function parsePlaceCall(body: unknown): PlaceCall | null {
  const parsed = placeCallShape.safeParse(body);
  return parsed.success ? (parsed.data as unknown as PlaceCall) : null;
}

export const registrationSchema = z.object({
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(16),
});
export type CallbackRegistration = z.infer<typeof registrationSchema>;
