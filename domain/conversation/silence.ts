import { isFree } from "./asking.ts";
import { beginEnding } from "./ending.ts";
import { SILENCE_PROMPTS } from "./limits.ts";
import { clearTimer, type Move, setLineTimer, setTimer } from "./move.ts";
import { sayLine } from "./speaking.ts";
import { speakerNow } from "./state.ts";
import { textsFor } from "./texts.ts";

/** Nobody speaks or is about to. */
function isQuiet(move: Move): boolean {
  return isFree(move) && !move.live.wantsAnswer && move.live.speaking.length === 0;
}

/** Silence is measured from the moment at which everything became quiet. */
export function watchSilence(move: Move): void {
  if (!isQuiet(move)) {
    clearTimer(move, "silence");
    return;
  }
  if (move.live.timers.has("silence")) return;
  setLineTimer(move, "silence", speakerNow(move).silenceTimeoutSeconds * 1_000);
}

/** The first silences bring a prompt, the next one ends the call. */
export function silenceFell(move: Move): void {
  if (!isQuiet(move)) return;
  clearTimer(move, "silence");
  const { promptsSince } = move.past;
  if (promptsSince >= SILENCE_PROMPTS) {
    beginEnding(move, { by: "system", reason: "silence_timeout" });
    return;
  }
  const { prompts } = textsFor(speakerNow(move).language);
  sayLine(move, "prompt", promptsSince === 0 ? prompts[0] : prompts[1]);
}

const WARN_AGAIN_MILLIS = 500;

/** Said between two utterances; waits while somebody speaks. */
export function warn(move: Move): void {
  const { live } = move;
  if (live.ending !== null || live.listening !== "no") return;
  const isFreeNow = live.speaking.every(({ complete }) => complete);
  if (isFreeNow && sayLine(move, "warning", textsFor(speakerNow(move).language).warning)) return;
  setTimer(move, "warning", WARN_AGAIN_MILLIS);
}
