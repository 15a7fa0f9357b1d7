import type { SessionEndCause, ToolCallOutcome } from "../call/conversation-events.ts";
import { cutAllByTime } from "./cutting.ts";
import { endAnswer, stopGeneration } from "./generation.ts";
import { DRAIN_MILLIS, LAST_RESULTS_MILLIS, STILL_OPEN_MILLIS, TRANSFER_MILLIS } from "./limits.ts";
import { clearTimer, type Move, setLineTimer, setTimer } from "./move.ts";
import { record, type Word } from "./recording.ts";
import type { Ending } from "./state.ts";
import { noEvidence } from "./tool-words.ts";

/**
 * The last words were given to the session. The end is requested when they were heard, or after the
 * drain time (line ms).
 */
export function beginEnding(
  move: Move,
  wish: Pick<Ending, "by" | "reason"> & { readonly transfer?: Ending["transfer"] },
  drainMillis = DRAIN_MILLIS,
): void {
  const { live } = move;
  if (live.ending !== null || live.closed !== null) return;
  endAnswer(move);
  live.wantsAnswer = false;
  live.afterTools = null;
  live.ending = { transfer: null, ...wish, asked: false };
  clearTimer(move, "silence", "turn", "retry", "voicemail");
  setLineTimer(move, "drain", drainMillis);
}

/** The end was requested elsewhere: the drain ends at once, and nothing more is said. */
export function fallSilent(move: Move): void {
  beginEnding(move, { by: "system", reason: "assistant_error" }, 0);
  const { ending } = move.live;
  if (ending === null) return;
  ending.asked = true;
  setTimer(move, "silent", STILL_OPEN_MILLIS);
}

export function drainOver(move: Move): void {
  const { ending, closed } = move.live;
  if (ending === null || ending.asked || closed !== null) return;
  ending.asked = true;
  clearTimer(move, "drain");
  if (ending.transfer !== null) {
    setTimer(move, "transfer", TRANSFER_MILLIS);
    move.out.push({ type: "transfer", to: ending.transfer.to });
  } else move.out.push({ type: "request_end", by: ending.by, reason: ending.reason });
}

/** Requests the end once everything said was heard. */
export function endWhenHeard(move: Move): void {
  if (move.live.speaking.length === 0) drainOver(move);
}

/** The request to end is durable, or was refused: the line is closed in either case. */
export function endAsked(move: Move): void {
  if (move.live.closed === null) move.out.push({ type: "finish" });
}

export function transferAnswered(move: Move, answer: "begun" | "unsupported" | "refused"): void {
  const transfer = move.live.ending?.transfer ?? null;
  if (transfer === null || move.live.closed !== null) return;
  if (answer === "begun") transfer.begun = true;
  else transferFailed(move, answer === "refused" ? "This number must not be called." : UNSUPPORTED);
}

const UNSUPPORTED = "The call cannot be transferred.";

/** The conversation goes on, and the model is told why. */
export function transferFailed(move: Move, why = UNSUPPORTED): void {
  const { live } = move;
  const transfer = live.ending?.transfer ?? null;
  if (transfer === null || live.closed !== null) return;
  clearTimer(move, "transfer");
  live.ending = null;
  record(move, toolResult(transfer.toolCallId, "failed", why));
  live.wantsAnswer = true;
}

function toolResult(toolCallId: string, outcome: ToolCallOutcome, shown: string): Word {
  const isError = outcome !== "answered";
  return { type: "EndTool", result: { toolCallId, outcome, shown, isError, evidence: noEvidence } };
}

/**
 * The line is lost: unfinished speech is cut, and the last words heard are kept. Tools in progress have a
 * moment to report their result.
 */
export function sessionClosed(move: Move, cause: SessionEndCause): void {
  const { live } = move;
  if (live.closed !== null) return;
  stopGeneration(move);
  cutAllByTime(move);
  live.closed = cause;
  live.timers.clear();
  const transfer = live.ending?.transfer ?? null;
  if (transfer !== null) {
    const taken = transfer.begun && cause === "finished";
    const shown = taken ? "The call was transferred." : "The line closed before the call was transferred.";
    record(move, toolResult(transfer.toolCallId, taken ? "answered" : "failed", shown));
  }
  if (live.tools.size > 0) setTimer(move, "last_results", LAST_RESULTS_MILLIS);
}

/** No result came in time and none is accepted any more: what the tool did is unknown. */
export function giveUpTools(move: Move): void {
  for (const { toolCallId, runs } of move.live.tools.values()) {
    if (runs) move.out.push({ type: "abort_tool", toolCallId });
    record(move, toolResult(toolCallId, "unknown", "The line closed before the tool answered."));
  }
  move.live.tools.clear();
}

/** Tools of a lost session without a result: the model or the record is told that the result is unknown. */
export function endUnknownTools(move: Move): void {
  const { past, live } = move;
  const shown = "Nobody knows whether this was done: the connection broke meanwhile.";
  for (const { began, result } of past.tools.values()) {
    if (result !== null || live.tools.has(began.toolCallId)) continue;
    record(move, toolResult(began.toolCallId, "unknown", shown));
  }
}

/** The last event of a session whose line is lost; an end that was due is requested. */
export function closeSession(move: Move): void {
  const { live } = move;
  if (live.closed === null || live.over || live.tools.size > 0) return;
  live.over = true;
  live.timers.clear();
  if (live.closed === "hung_up" || live.closed === "finished") endUnknownTools(move);
  record(move, { type: "EndSession", cause: live.closed });
  const { ending } = live;
  if (ending !== null && ending.transfer === null && !ending.asked && live.closed !== "hung_up") {
    move.out.push({ type: "request_end", by: ending.by, reason: ending.reason });
  }
  move.out.push({ type: "over" });
}

/** Another session has taken over, or the call has ended: our commands are refused from here on. */
export function leave(move: Move): void {
  const { live } = move;
  if (live.over) return;
  stopGeneration(move);
  live.over = true;
  live.timers.clear();
  for (const { toolCallId, runs } of live.tools.values()) {
    if (runs) move.out.push({ type: "abort_tool", toolCallId });
  }
  live.tools.clear();
  live.speaking.length = 0;
  move.out.push({ type: "finish" }, { type: "over" });
}
