import { costOfSeconds } from "../shared/credits.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import { applies, late } from "./carrier-rules.ts";
import type { CallCommand } from "./commands.ts";
import { END_REASONS, type EndReason } from "./end-reason.ts";
import type { CallConnected, CallError, CallEvent, EndedBy } from "./events.ts";
import { carrierMoment } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

/** How far billed seconds may go beyond the maximum duration. */
const OVERRUN_SECONDS = 30;

type Told = {
  readonly carrierRef: string | null;
  readonly sequence: number | null;
  readonly recordingExpected: boolean;
};
const UNTOLD: Told = { carrierRef: null, sequence: null, recordingExpected: false };

/** The end that the carrier tells. One that says the call was answered implies the answer that was missed. */
export function endedByCarrier(
  command: Extract<CallCommand, { type: "RecordEnded" }>,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(command, state)) return late(command, state, "ended");
  const at = carrierMoment(state, command.occurredAt, command.now);
  const missed = missedAnswer(command, state, at);
  const connectedAt = missed?.data.at ?? state.connectedAt;
  const endReason = finalReason(command.endReason, state, connectedAt !== null);
  const endedBy =
    state.endRequested !== null && END_BY_REQUEST.has(endReason) ? state.endRequested.by : command.endedBy;
  const end = endEvent({ ...state, connectedAt }, at, endReason, endedBy, command.error, {
    ...command,
    recordingExpected: command.recordingExpected,
  });
  return missed === null ? [end] : [missed, end];
}

const END_BY_REQUEST = new Set<EndReason>(["canceled", "api_ended", "max_duration"]);

function missedAnswer(
  { answeredAt, answeredBy, carrierRef }: Extract<CallCommand, { type: "RecordEnded" }>,
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

/** A hang-up of ours has the end that was asked for; a completed call was answered, a cancelled one was not. */
function finalReason(told: EndReason, state: CallState, answered: boolean): EndReason {
  if (told === "canceled" || told === "api_ended") return requestedReason(state, answered);
  if (!answered && END_REASONS[told].status === "completed") return "carrier_error";
  return told;
}

export function requestedReason(state: CallState, answered: boolean): EndReason {
  if (!answered) return "canceled";
  return state.endRequested?.reason === "max_duration" ? "max_duration" : "api_ended";
}

/** An end that the carrier did not tell. */
export function failed(
  state: ExistingCall,
  at: Instant,
  endReason: EndReason,
  endedBy: EndedBy | null,
  error: CallError | null,
): CallEvent {
  return endEvent(state, at, endReason, endedBy, error, UNTOLD);
}

function endEvent(
  state: ExistingCall,
  at: Instant,
  endReason: EndReason,
  endedBy: EndedBy | null,
  error: CallError | null,
  told: Told,
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
      told.recordingExpected && durationSeconds !== null ? ("pending" as const) : ("none" as const),
    carrierRef: told.carrierRef ?? state.carrierRef,
    sequence: told.sequence,
  };
  return status === "completed"
    ? { type: "CallCompleted", data: ended }
    : { type: "CallFailed", data: { ...ended, error } };
}

/** Answer to end, clamped: a clock that jumped bills nobody for days. */
function durationOf(state: CallState, at: Instant): number | null {
  if (state.connectedAt === null) return null;
  const seconds = (millisOf(at) - millisOf(state.connectedAt)) / 1_000;
  return Math.min(Math.max(0, seconds), state.maxDurationSeconds + OVERRUN_SECONDS);
}
