import { beginEnding } from "./ending.ts";
import { giveUp } from "./failing.ts";
import { endAnswer } from "./generation.ts";
import { speechMillis } from "./heard.ts";
import { optOutConfirmation } from "./intents/opt-out.ts";
import { DRAIN_MILLIS } from "./limits.ts";
import { clearTimer, type Move } from "./move.ts";
import { sayLine } from "./speaking.ts";
import { speakerNow } from "./state.ts";

/**
 * The customer asked never to be called again: nothing is answered any more. Once everything said is durable,
 * the log is asked whether it says so too (a verdict may stand there that this session does not know). Then
 * it is confirmed, as soon as the customer is silent, and the call ends when that was heard. On a call that
 * ends already nothing is confirmed; it is listed all the same.
 */
export function followOptOut(move: Move): void {
  const { live, past } = move;
  if (past.optOut === null || live.ending !== null) return;
  if (live.optOut === "not_asked") {
    stopAnswering(move);
    if (live.waiting.size > 0) return;
    live.optOut = "asked";
    move.out.push({ type: "check_opt_out" });
  }
  if (live.optOut === "stands") confirm(move);
}

function stopAnswering(move: Move): void {
  endAnswer(move);
  move.live.wantsAnswer = false;
  move.live.afterTools = null;
  clearTimer(move, "turn", "retry", "tool_filler", "voicemail");
}

function confirm(move: Move): void {
  const { optOutMessage, language } = speakerNow(move);
  const message = optOutMessage ?? optOutConfirmation(language);
  stopAnswering(move);
  if (!sayLine(move, "answer", message, [], false)) return;
  move.live.listening = "no";
  beginEnding(move, { by: "assistant", reason: "assistant_ended" }, speechMillis(message) + DRAIN_MILLIS);
}

/** Without an opt-out in the log the model answers; what cannot be read must not be promised. */
export function optOutChecked(move: Move, stands: boolean | null): void {
  const { live, past } = move;
  if (live.optOut !== "asked") return;
  if (stands === null) {
    giveUp(move, "log_away");
    return;
  }
  live.optOut = stands ? "stands" : "not_asked";
  if (stands) return;
  past.optOut = null;
  past.optOutBook.isSaid = false;
  live.wantsAnswer = live.ending === null && live.listening === "no" && live.closed === null;
}
