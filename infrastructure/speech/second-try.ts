import type { Clock } from "../../application/ports/clock.ts";
import { SpeechFailure } from "./speech-failure.ts";

const PAUSE_MILLIS = 150;
const LONGEST_PAUSE_MILLIS = 1_000;

/**
 * Whether a second try makes sense, and the pause before it. null: it would fail as well, or come too late.
 */
function pauseAfter(failure: SpeechFailure): number | null {
  if (!["throttled", "unavailable", "late"].includes(failure.kind)) return null;
  const asked = failure.retryAfterMillis ?? PAUSE_MILLIS;
  return asked <= LONGEST_PAUSE_MILLIS ? asked : null;
}

/** Waits before a second try; throws if there is none. */
export async function beforeSecondTry(
  clock: Pick<Clock, "sleep">,
  failure: SpeechFailure,
  signal: AbortSignal,
): Promise<void> {
  const pause = pauseAfter(failure);
  if (pause === null) throw failure;
  await clock.sleep(pause, signal);
  if (signal.aborted) throw new SpeechFailure("aborted", "It is no longer wanted");
}
