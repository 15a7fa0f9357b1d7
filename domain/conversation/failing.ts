import { beginEnding } from "./ending.ts";
import { endAnswer } from "./generation.ts";
import { FAILED_TURNS_IN_A_ROW } from "./limits.ts";
import { clearTimer, type Move } from "./move.ts";
import { record } from "./recording.ts";
import { maySpeak, sayLine } from "./speaking.ts";
import { speakerNow } from "./state.ts";
import { textsFor } from "./texts.ts";

/**
 * A turn without an answer gets a fallback line; the second in a row ends the call. `kind`
 * is one of our codes.
 */
export function failTurn(move: Move, kind: string): void {
  const { live, past } = move;
  endAnswer(move);
  clearTimer(move, "turn", "retry");
  live.wantsAnswer = false;
  live.afterTools = null;
  if (past.failedInRow + 1 >= FAILED_TURNS_IN_A_ROW) {
    giveUp(move, kind);
    return;
  }
  const speaker = speakerNow(move);
  const line = speaker.fallbackMessage ?? textsFor(speaker.language).fallback;
  sayInstead(move, kind, line);
}

/** The conversation cannot go on: an apology, then the end. */
export function giveUp(move: Move, kind: string): void {
  if (move.live.ending !== null) return;
  endAnswer(move);
  sayInstead(move, kind, textsFor(speakerNow(move).language).apology);
  beginEnding(move, { by: "system", reason: "assistant_error" });
}

function sayInstead(move: Move, kind: string, line: string): void {
  const says = maySpeak(move) && line.trim() !== "";
  const failed = { type: "FailTurn", turn: move.past.turns, kind, saidInstead: says ? line : null } as const;
  if (!sayLine(move, "fallback", line, [failed])) record(move, failed);
}
