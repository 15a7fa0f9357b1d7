import type { Admission } from "../ports/admission.ts";
import type { PlaceCallResult } from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

export type BackPressure = {
  /** Connections that were slowed down and have taken no dial since, as far as this process has seen. */
  readonly slowed: () => readonly string[];
  /** What came of a dial that began then (monotonic clock). Never rejects: without it the pace alone is wrong. */
  readonly saw: (connectionKey: string, result: PlaceCallResult, begun: number) => Promise<void>;
};

type BackPressureDeps = {
  readonly admission: Pick<Admission, "slowDown" | "tookDial">;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** No pause is longer, and none counts for longer after its end. */
const OVER_AFTER_MILLIS = 2 * 60_000;

/**
 * Slows a connection down whose carrier has too much to do, until it takes a dial that began after that: also one that it was asked for in another
 * process, and one that it answered with a refusal of its own.
 */
export function createBackPressure({ admission, clock, logger }: BackPressureDeps): BackPressure {
  /** Since when a connection is slowed down, as far as this process has seen. */
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

/** What the carrier refuses by a code of its own it has taken up. */
function isTaken(result: PlaceCallResult): boolean {
  return result.kind === "accepted" || (result.kind === "rejected" && result.carrierCode !== null);
}
