import type { Admission } from "../../ports/admission.ts";
import type { PlaceCallResult } from "../../ports/carrier.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";

export type BackPressure = {
  /** Connections that were slowed down and have accepted no dial since, as far as this process knows. */
  readonly slowed: () => readonly string[];
  /**
   * Reports the result of a dial that began at this time (monotonic clock). Never rejects: on a failure only
   * the pace is less exact.
   */
  readonly saw: (connectionKey: string, result: PlaceCallResult, begun: number) => Promise<void>;
};

type BackPressureDeps = {
  readonly admission: Pick<Admission, "slowDown" | "tookDial">;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** The longest pause, and how long a slowing counts after its end. */
const OVER_AFTER_MILLIS = 2 * 60_000;

/**
 * Slows down a connection whose carrier is overloaded, until it accepts a dial that began later. That
 * includes slowing by another process, and dials that the carrier answers with an error code of its own.
 */
export function createBackPressure({ admission, clock, logger }: BackPressureDeps): BackPressure {
  /** Since when each connection is slowed down, as far as this process knows. */
  const slowedAt = new Map<string, number>();
  const took = async (key: string, begun: number): Promise<void> => {
    const since = slowedAt.get(key);
    if (since !== undefined && begun >= since) slowedAt.delete(key);
    await admission.tookDial(key, clock.monotonicMillis() - begun);
  };
  return {
    slowed: () => {
      const since = clock.monotonicMillis() - OVER_AFTER_MILLIS;
      for (const [key, at] of slowedAt) if (at < since) slowedAt.delete(key);
      return [...slowedAt.keys()];
    },
    saw: async (key, result, begun) => {
      try {
        if (result.kind === "throttled") {
          slowedAt.set(key, clock.monotonicMillis());
          await admission.slowDown(key, result.retryAfterMillis);
        } else if (isTaken(result)) await took(key, begun);
      } catch (error) {
        logger.error({ connection: key, error }, "the pace of a connection was not changed");
      }
    },
  };
}

/** A carrier that rejects a dial with an error code of its own has processed it, so it is not overloaded. */
function isTaken(result: PlaceCallResult): boolean {
  return result.kind === "accepted" || (result.kind === "rejected" && result.carrierCode !== null);
}
