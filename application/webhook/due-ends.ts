import { type Instant, millisOf } from "../../domain/shared/instant.ts";
import type { Clock, StopSignal } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { WebhookPublishing } from "./webhook-publishing.ts";

const SHORTEST_PAUSE_MILLIS = 1_000;

export type DueEndsDeps = {
  readonly publishing: Pick<WebhookPublishing, "publishDueEnds">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longestWaitMillis: number;
};

export type DueEnds = {
  /** An end waits until then: the next look is no later. Most are sent before, so it looks for none. */
  readonly wait: (due: Instant) => void;
  /** Sends the ends whose wait for a recording or an outcome is over, until `stop` aborts. */
  readonly run: () => Promise<void>;
};

export function createDueEnds(deps: DueEndsDeps, stop: StopSignal): DueEnds {
  const { clock, logger, longestWaitMillis, publishing } = deps;
  const signal = createWakeSignal(clock, stop);
  /** Monotonic time of the next look; none is planned while one is under way. */
  let lookAt = Number.POSITIVE_INFINITY;
  const lookIn = (millis: number) => {
    lookAt = Math.min(lookAt, clock.monotonicMillis() + Math.min(millis, longestWaitMillis));
  };
  const untilLook = async (): Promise<void> => {
    while (!stop.aborted && clock.monotonicMillis() < lookAt)
      await signal.wait(lookAt - clock.monotonicMillis());
  };
  const onFailure = (error: unknown) => {
    lookIn(SHORTEST_PAUSE_MILLIS);
    logger.error({ error }, "ends that waited not published; tries again");
  };
  return {
    wait: (due) => {
      const before = lookAt;
      lookIn(millisOf(due) - clock.nowMillis());
      if (lookAt < before) signal.wake();
    },
    run: () =>
      repeatUntilStopped({ signal: stop, pause: untilLook, onFailure }, async () => {
        lookAt = Number.POSITIVE_INFINITY;
        const next = await publishing.publishDueEnds();
        const left = next === null ? longestWaitMillis : millisOf(next) - clock.nowMillis();
        lookIn(Math.max(SHORTEST_PAUSE_MILLIS, left));
      }),
  };
}
