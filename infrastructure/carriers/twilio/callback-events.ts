import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { beginningOf, storableText } from "../../../domain/shared/storable-text.ts";
import { answeredByOf, endOfSecond, endOfStatus, talkedSeconds } from "./call-status.ts";
import type { FormFields } from "./signatures.ts";

export type Callback = {
  readonly callId: CallId;
  readonly fields: FormFields;
  readonly query: Readonly<Record<string, string>>;
  readonly nowMillis: number;
};

/** Twilio's own fields that are used are all shorter. */
const LONGEST_FIELD = 256;

/** A field as it can be stored; signatures are judged before, over what came. */
export function fieldOf(fields: FormFields, name: string): string | null {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? beginningOf(storableText(value), LONGEST_FIELD) : null;
}

/** Twilio's id of the call; null: the callback has none. */
export function callSidOf(fields: FormFields): string | null {
  const sid = fieldOf(fields, "CallSid");
  return sid !== null && /^CA[0-9a-f]{32}$/.test(sid) ? sid : null;
}

/** The answer is one event, whether the status or the relay reports it first. */
export function answeredEvent(
  callId: CallId,
  carrierRef: string,
  occurredAt: Instant,
  sequence: number,
): CarrierEvent {
  const dedupeKey = `${carrierRef}/answered`;
  return { type: "answered", answeredBy: "unknown", dedupeKey, callId, carrierRef, sequence, occurredAt };
}

/** Status callbacks are numbered from 0 and may overtake each other. null: a status that is not needed. */
export function statusEvent({ callId, fields, query, nowMillis }: Callback): CarrierEvent | null {
  const carrierRef = callSidOf(fields);
  const status = fieldOf(fields, "CallStatus");
  if (carrierRef === null || status === null) return null;
  const sequence = Number(fieldOf(fields, "SequenceNumber") ?? Number.NaN) + 1;
  const moment = momentOf(fields, nowMillis);
  const reported = {
    callId,
    carrierRef,
    sequence: Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0,
    occurredAt: endOfSecond(moment, nowMillis),
  };
  if (status === "initiated" || status === "queued")
    return { type: "accepted", dedupeKey: `${carrierRef}/initiated`, ...reported };
  if (status === "ringing") return { type: "ringing", dedupeKey: `${carrierRef}/ringing`, ...reported };
  if (status === "in-progress")
    return answeredEvent(callId, carrierRef, reported.occurredAt, reported.sequence);
  const end = endOfStatus(status, fieldOf(fields, "SipResponseCode"));
  if (end === null) return null;
  const answeredAt = status === "completed" ? answeredInstant(fields, moment) : null;
  return {
    type: "ended",
    dedupeKey: `${carrierRef}/ended`,
    ...reported,
    ...end,
    answeredAt,
    answeredBy: answeredAt === null ? null : answeredByOf(fieldOf(fields, "AnsweredBy")),
    recordingExpected: answeredAt !== null && query["recorded"] === "1",
    carrierCode: fieldOf(fields, "SipResponseCode") ?? fieldOf(fields, "ErrorCode"),
  };
}

function momentOf(fields: FormFields, nowMillis: number): Date {
  const reported = Date.parse(fieldOf(fields, "Timestamp") ?? "");
  return new Date(Number.isNaN(reported) ? nowMillis : reported);
}

function answeredInstant(fields: FormFields, endedAt: Date): Instant {
  return instantFromMillis(endedAt.getTime() - talkedSeconds(fieldOf(fields, "CallDuration")) * 1_000);
}

export function machineEvent({ callId, fields, nowMillis }: Callback): CarrierEvent | null {
  const carrierRef = callSidOf(fields);
  const verdict = fieldOf(fields, "AnsweredBy");
  if (carrierRef === null || verdict === null) return null;
  return {
    type: "machine_judged",
    answeredBy: answeredByOf(verdict),
    greetingEnded: verdict.startsWith("machine_end_"),
    dedupeKey: `${carrierRef}/machine/${verdict}`,
    callId,
    carrierRef,
    sequence: 0,
    occurredAt: instantFromMillis(nowMillis),
  };
}

/** in-progress is not needed. */
export function recordingEvent({ callId, fields, nowMillis }: Callback): CarrierEvent | null {
  const carrierRef = callSidOf(fields);
  const recordingRef = fieldOf(fields, "RecordingSid");
  const status = fieldOf(fields, "RecordingStatus");
  if (carrierRef === null || (status !== "completed" && status !== "absent" && status !== "failed"))
    return null;
  const available = status === "completed" && recordingRef !== null;
  return {
    type: "recording",
    status: available ? "available" : "failed",
    recordingRef: available ? recordingRef : null,
    dedupeKey: `${carrierRef}/recording/${recordingRef ?? ""}/${status}`,
    callId,
    carrierRef,
    sequence: 0,
    occurredAt: instantFromMillis(nowMillis),
  };
}
