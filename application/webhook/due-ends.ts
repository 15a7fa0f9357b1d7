import { millisOf } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { repeatUntilStopped } from "../repeating.ts";
import type { WakeSignal } from "../wake-signal.ts";
import type { WebhookPublishing } from "./webhook-publishing.ts";

const AFTER_FAILURE_MILLIS = 1_000;

export type DueEndsDeps = {
  readonly publishing: WebhookPublishing;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longestWaitMillis: number;
};

/**
 * Sends the ends whose wait for a recording or an outcome is over; `signal` is woken when a new one waits.
 * Ends when `stop` aborts.
 */
export async function runDueEnds(deps: DueEndsDeps, signal: WakeSignal, stop: AbortSignal): Promise<void> {
  const { clock, logger, longestWaitMillis, publishing } = deps;
  let wait = AFTER_FAILURE_MILLIS;
  const onFailure = (error: unknown) => {
    wait = AFTER_FAILURE_MILLIS;
    logger.error({ error }, "ends that waited not published; tries again");
  };
  await repeatUntilStopped({ signal: stop, pause: () => signal.wait(wait), onFailure }, async () => {
    const next = await publishing.publishDueEnds();
    const left = next === null ? longestWaitMillis : millisOf(next) - clock.nowMillis();
    wait = Math.min(Math.max(AFTER_FAILURE_MILLIS, left), longestWaitMillis);
  });
}
