import type { Clock } from "../../ports/clock.ts";
import type { DeliveryStore } from "../../ports/delivery-store.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { SendAttempt } from "../../ports/webhook-sender.ts";
import type { PlaceLimits } from "./places.ts";

/** Dependencies of the delivery loop's parts. */
export type DeliveryLoopDeps = {
  readonly store: DeliveryStore;
  readonly sendAttempt: SendAttempt;
  readonly clock: Clock;
  /** 0 ≤ r < 1, for the jitter of the schedule. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Name of this process among those that share the work. */
  readonly worker: string;
  readonly places?: PlaceLimits;
};
