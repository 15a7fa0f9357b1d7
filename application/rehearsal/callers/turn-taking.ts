import type { Reaction } from "../../voice/callee/behaviour.ts";

/** From the moment at which the assistant is done to the caller's turn. */
export const PAUSE_MILLIS = 1_500;
/** Whoever is not greeted for so long speaks first. */
export const GREETING_MILLIS = 3_000;
const LOOK_AGAIN_MILLIS = 100;

/** What a caller does when the assistant is done: until then they look again and again. */
export function whenDone(isBusy: () => boolean, reaction: Reaction): Reaction {
  return isBusy() ? { kind: "look_again", pauseMillis: LOOK_AGAIN_MILLIS } : reaction;
}
