import type { Logger } from "../application/ports/logger.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import type { Config } from "../infrastructure/config.ts";
import type { WithCrashPoints } from "../simulation/crash-points/with-crash-points.ts";
import type { Stores } from "./open-stores.ts";

/** Closes what was opened, in reverse order. */
export type Closing = (() => Promise<unknown> | unknown)[];

/** Shared by all parts of the service while it is composed. */
export type ServiceContext = {
  readonly config: Config;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly withCrashPoints: WithCrashPoints;
  readonly closing: Closing;
};
