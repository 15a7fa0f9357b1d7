import process from "node:process";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "../application/ports/metrics.ts";

export type MetricsAdapter = {
  readonly metrics: Metrics;
  /** The text of GET /metrics. */
  readonly metricsText: () => Promise<string>;
};

/** What each of our numbers says. */
const HELP = {
  http_requests_total: "Requests answered, by route, method and status",
  http_request_seconds: "Time to the end of an answer, by route",
  read_model_events_total: "Events taken by a read model",
  read_model_parked_total: "Events that a read model had to leave out",
  processor_lag_seconds: "Age of the oldest event that a processor of the log has not taken yet",
  processor_parked_events: "Events that a processor had to leave aside; anything above 0 is an alarm",
  processor_position: "The number with which a processor's position in the log begins",
  processor_last_moved_timestamp_seconds: "When a processor moved last",
  ringfold_unknown_events_total: "Events of a type that this release does not know, by type",
  webhook_attempts_total: "Webhook attempts that ended, by class",
  webhook_attempt_seconds: "Time of a webhook attempt",
  webhook_oldest_undelivered_seconds: "Age of the oldest webhook event that is neither delivered nor dead",
  ringfold_peak_memory_bytes: "Highest resident memory of this process so far",
} as const satisfies Record<string, string>;

type Name = keyof typeof HELP;
type Labels = Readonly<Record<string, string>>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** prom-client behind the port, with its numbers of the process itself. */
export function createMetrics(): MetricsAdapter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "ringfold_peak_memory_bytes",
    help: HELP.ringfold_peak_memory_bytes,
    registers: [registry],
    collect(this: Gauge) {
      this.set(process.resourceUsage().maxRSS * 1024);
    },
  });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const options = (name: string, labels: Labels) => ({
    name,
    help: helpOf(name),
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  return {
    metrics: {
      count: (name, labels = {}, by = 1) =>
        known(counters, name, () => new Counter(options(name, labels))).inc({ ...labels }, by),
      gauge: (name, value, labels = {}) =>
        known(gauges, name, () => new Gauge(options(name, labels))).set({ ...labels }, value),
      observe: (name, value, labels = {}) =>
        known(histograms, name, () => new Histogram({ ...options(name, labels), buckets: SECONDS })).observe(
          { ...labels },
          value,
        ),
    },
    metricsText: () => registry.metrics(),
  };
}

function known<Metric>(metrics: Map<string, Metric>, name: string, make: () => Metric): Metric {
  const metric = metrics.get(name) ?? make();
  metrics.set(name, metric);
  return metric;
}

function helpOf(name: string): string {
  return isName(name) ? HELP[name] : name.replaceAll("_", " ");
}

function isName(name: string): name is Name {
  return Object.hasOwn(HELP, name);
}
