import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";

/** Ports whose effects a test does not look at. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const silentMetrics: Metrics = {
  count: () => undefined,
  gauge: () => undefined,
  gauges: () => undefined,
  observe: () => undefined,
};
