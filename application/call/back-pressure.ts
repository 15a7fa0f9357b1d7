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

/** Slows a connection down whose carrier has too much to do, until it takes a dial that began after that. */
export function createBackPressure({ admission, clock, logger }: BackPressureDeps): BackPressure {
  /** Since when a connection is slowed down, as far as this process has seen. */
  const slowedAt = new Map<string, number>();
  return {
    slowed: () => [...slowedAt.keys()],
    saw: async (key, result, begun) => {
      try {
        if (result.kind === "throttled") {
          slowedAt.set(key, clock.monotonicMillis());
          await admission.slowDown(key, result.retryAfterMillis);
        }
        const since = slowedAt.get(key);
        if (result.kind !== "accepted" || since === undefined || begun < since) return;
        slowedAt.delete(key);
        await admission.tookDial(key);
      } catch (error) {
        logger.error({ connection: key, error }, "the pace of a connection was not changed");
      }
    },
  };
}
