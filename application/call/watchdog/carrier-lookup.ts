import type { CallCommand } from "../../../domain/call/decider.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { storable } from "../../../domain/shared/storable-text.ts";
import type { LookupResult } from "../../ports/carrier.ts";

type Found = Extract<LookupResult, { kind: "found" }>;

/** The facts in the carrier's answer to a look-up. */
export function lookupFacts(reported: LookupResult, now: Instant): readonly CallCommand[] {
  const result = storable(reported);
  if (result.kind === "never_dialled") return [{ type: "RecordNeverDialled", proof: result.proof, now }];
  return result.kind === "found" ? factsOf(result, now) : [];
}

function factsOf(found: Found, now: Instant): readonly CallCommand[] {
  const { carrierRef, status, answeredAt } = found;
  const fact = { carrierRef, sequence: null, now };
  const facts: CallCommand[] = [{ type: "RecordAccepted", carrierRef, now }];
  if (status === "ended") return [...facts, ...endOf(found, now)];
  if (status === "ringing") return facts;
  const occurredAt = answeredAt ?? now;
  facts.push({ type: "RecordAnswered", answeredBy: found.answeredBy ?? "unknown", ...fact, occurredAt });
  if (status === "in_progress") facts.push({ type: "RecordConversationStarted", ...fact, occurredAt: now });
  return facts;
}

/** For a carrier that gives no reason: the line was lost if somebody had answered, else the call failed. */
function endOf(found: Found, now: Instant): readonly CallCommand[] {
  const { carrierRef, answeredAt, answeredBy, endedBy, recordingRef } = found;
  const fact = { carrierRef, sequence: null, occurredAt: found.endedAt ?? now, now };
  const ended: CallCommand = {
    type: "RecordEnded",
    endReason: found.endReason ?? (answeredAt === null ? "carrier_error" : "connection_lost"),
    endedBy,
    answeredAt,
    answeredBy,
    recordingExpected: recordingRef !== null,
    error: null,
    ...fact,
  };
  if (recordingRef === null) return [ended];
  return [ended, { type: "RecordRecording", status: "available", recordingRef, ...fact }];
}
