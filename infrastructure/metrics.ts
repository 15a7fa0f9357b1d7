import process from "node:process";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { METRICS } from "../application/metrics/metric-table.ts";
import type { Metrics } from "../application/ports/metrics.ts";

export type MetricsAdapter = {
  readonly metrics: Metrics;
  /** The text of GET /metrics. */
  readonly metricsText: () => Promise<string>;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Gauges of the library with names that only a counter may have; its series by type stay. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

/**
 * prom-client behind the port, with its own process metrics. Every metric of ours exists from the beginning.
 */
export function createMetrics(): MetricsAdapter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const [counters, gauges, histograms] = [
    ofKind("counter", (options) => new Counter(options), registry),
    ofKind("gauge", (options) => new Gauge(options), registry),
    ofKind("histogram", (options) => new Histogram({ ...options, buckets: SECONDS }), registry),
  ];
  const tellPeakMemory = () =>
    gauges.get("ringfold_peak_memory_bytes")?.set(process.resourceUsage().maxRSS * 1024);
  return {
    metrics: {
      count: (name, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
      gauge: (name, value, labels) => gauges.get(name)?.set({ ...labels }, value),
      gauges: (name, series) => {
        const gauge = gauges.get(name);
        gauge?.reset();
        // A reset gauge without labels has the value 0, which would be exported.
        if (METRICS[name].labels.length === 0) gauge?.remove();
        for (const { labels, value } of series) gauge?.set({ ...labels }, value);
      },
      observe: (name, value, labels) => histograms.get(name)?.observe({ ...labels }, value),
    },
    metricsText: () => {
      tellPeakMemory();
      return registry.metrics();
    },
  };
}

type Options = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
};

function ofKind<Metric>(
  kind: "counter" | "gauge" | "histogram",
  make: (options: Options) => Metric,
  registry: Registry,
): ReadonlyMap<string, Metric> {
  const rows = Object.entries(METRICS).filter(([, row]) => row.kind === kind);
  return new Map(
    rows.map(([name, { help, labels }]) => [
      name,
      make({ name, help, labelNames: [...labels], registers: [registry] }),
    ]),
  );
}
