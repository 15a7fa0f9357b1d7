import { costOfSeconds } from "../shared/credits.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import { applies, type CarrierFact, late } from "./carrier-rules.ts";
import { END_REASONS, type EndReason } from "./end-reason.ts";
import { requestedBy, requestedReason } from "./end-wish.ts";
import type { AnsweredBy, CallConnected, CallError, CallEvent, EndedBy } from "./events.ts";
import { carrierMoment } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

/** How many seconds beyond the maximum duration may be billed. */
const OVERRUN_SECONDS = 30;

type ReportedEnd = CarrierFact & {
  readonly endReason: EndReason;
  readonly endedBy: EndedBy | null;
  readonly answeredAt: Instant | null;
  readonly answeredBy: AnsweredBy | null;
  readonly recordingExpected: boolean;
  readonly error: CallError | null;
};

type Reported = Pick<ReportedEnd, "sequence" | "recordingExpected" | "dedupeKey"> & {
  readonly carrierRef: string | null;
};
const NOT_REPORTED: Reported = { carrierRef: null, sequence: null, recordingExpected: false };

/**
 * The end as reported by the carrier. When that report says that the call was answered, the missed
 * answer is recorded first.
 */
export function endedByCarrier(command: ReportedEnd, state: ExistingCall): readonly CallEvent[] {
  if (!applies(command, state)) return late(command, state, "ended");
  const at = carrierMoment(state, command.occurredAt, command.now);
  const missed = missedAnswer(command, state, at);
  const connectedAt = missed?.data.at ?? state.connectedAt;
  const { endReason, endedBy } = finalEnd(command, state, connectedAt !== null);
  const end = endEvent({ ...state, connectedAt }, at, endReason, endedBy, command.error, command);
  return missed === null ? [end] : [missed, end];
}

function missedAnswer(
  { answeredAt, answeredBy, carrierRef }: ReportedEnd,
  state: ExistingCall,
  endedAt: Instant,
): CallConnected | null {
  if (answeredAt === null || state.connectedAt !== null) return null;
  const at = carrierMoment(state, answeredAt, endedAt);
  return {
    type: "CallConnected",
    data: { callId: state.callId, at, answeredBy: answeredBy ?? "unknown", carrierRef, sequence: null },
  };
}

type Final = { readonly endReason: EndReason; readonly endedBy: EndedBy | null };

/**
 * An end after our request has the reason of the request, whatever the carrier says. An end before it has the
 * carrier's reason. A call without an answer cannot be completed, and an answered one cannot be canceled.
 */
function finalEnd(command: ReportedEnd, state: CallState, answered: boolean): Final {
  const { endReason: reported, endedBy } = command;
  const isOurs = reported === "canceled" || reported === "api_ended";
  const isWished = state.endRequested !== null && command.occurredAt >= state.endRequested.at;
  if (isOurs || isWished)
    return { endReason: requestedReason(state, answered), endedBy: requestedBy(state) ?? endedBy };
  if (!answered && END_REASONS[reported].status === "completed")
    return { endReason: "carrier_error", endedBy };
  return { endReason: reported, endedBy };
}

/** An end that the carrier did not report. */
export function failed(
  state: ExistingCall,
  at: Instant,
  endReason: EndReason,
  endedBy: EndedBy | null,
  error: CallError | null,
): CallEvent {
  return endEvent(state, at, endReason, endedBy, error, NOT_REPORTED);
}

function endEvent(
  state: ExistingCall,
  at: Instant,
  endReason: EndReason,
  endedBy: EndedBy | null,
  error: CallError | null,
  reported: Reported,
): CallEvent {
  const { status, billed } = END_REASONS[endReason];
  const durationSeconds = durationOf(state, at);
  const ended = {
    callId: state.callId,
    at,
    endReason,
    endedBy,
    durationSeconds,
    cost: billed && durationSeconds !== null ? costOfSeconds(durationSeconds, state.pricePerMinute) : 0,
    recordingStatus:
      reported.recordingExpected && durationSeconds !== null ? ("pending" as const) : ("none" as const),
    carrierRef: reported.carrierRef ?? state.carrierRef,
    sequence: reported.sequence,
    ...(reported.dedupeKey === undefined ? {} : { dedupeKey: reported.dedupeKey }),
  };
  return status === "completed"
    ? { type: "CallCompleted", data: ended }
    : { type: "CallFailed", data: { ...ended, error } };
}

/** From the answer to the end, clamped, so that a clock that jumped does not bill days. */
function durationOf(state: CallState, at: Instant): number | null {
  if (state.connectedAt === null) return null;
  const seconds = (millisOf(at) - millisOf(state.connectedAt)) / 1_000;
  return Math.min(Math.max(0, seconds), state.maxDurationSeconds + OVERRUN_SECONDS);
}
