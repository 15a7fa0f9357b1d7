import type { Clock } from "../../../application/ports/clock.ts";

/** Nobody speaks or presses keys so fast. */
const FRAMES_A_SECOND = 50;
const AT_ONCE = 100;
const MALFORMED_FRAMES = 20;

/** With so many unsent bytes, the other side does not read. */
export const MAX_WAITING_BYTES = 1_024 * 1_024;

export type FrameLimits = {
  /** False: too many at once, the socket has to be closed. */
  readonly take: () => boolean;
  /** False: too many invalid frames. */
  readonly takeMalformed: () => boolean;
};

export function createFrameLimits(clock: Pick<Clock, "monotonicMillis">): FrameLimits {
  let left = AT_ONCE;
  let at = clock.monotonicMillis();
  let malformed = 0;
  return {
    take: () => {
      const now = clock.monotonicMillis();
      left = Math.min(AT_ONCE, left + ((now - at) * FRAMES_A_SECOND) / 1_000) - 1;
      at = now;
      return left >= 0;
    },
    takeMalformed: () => {
      malformed += 1;
      return malformed <= MALFORMED_FRAMES;
    },
  };
}
