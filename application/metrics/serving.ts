import type { MetricTable } from "./metric-row.ts";

/** The process, its requests, and how far it has read. */
export const SERVING = {
  ringfold_database_up: {
    kind: "gauge",
    unit: "1 or 0",
    of: "process",
    labels: [],
    help: "1: the database told the numbers of the installation in time; 0: it did not, and they are left out",
  },
  ringfold_http_requests_total: {
    kind: "counter",
    unit: "requests",
    of: "process",
    labels: ["method", "route", "status"],
    help: "Requests answered, by route, method and status",
  },
  ringfold_http_request_duration_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: ["method", "route"],
    help: "Time to the end of an answer, by route and method",
  },
  ringfold_read_model_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["model"],
    help: "Events taken by a read model",
  },
  ringfold_read_model_parked_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["model"],
    help: "Events that a read model had to leave out",
  },
  ringfold_processor_lag_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "process",
    labels: ["processor"],
    help: "Age of the oldest event that a processor of the log has not taken yet",
  },
  ringfold_processor_parked_events: {
    kind: "gauge",
    unit: "events",
    of: "process",
    labels: ["processor"],
    help: "Events that a processor had to leave aside; anything above 0 is an alarm",
  },
  ringfold_processor_position: {
    kind: "gauge",
    unit: "position",
    of: "process",
    labels: ["processor"],
    help: "The number with which a processor's position in the log begins",
  },
  ringfold_processor_last_moved_timestamp_seconds: {
    kind: "gauge",
    unit: "seconds since 1970",
    of: "process",
    labels: ["processor"],
    help: "When a processor moved last",
  },
  ringfold_unknown_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["type"],
    help: "Events of a type that this release does not know, by type",
  },
  ringfold_damaged_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["type"],
    help: "Events that could not be read and were passed over, by type",
  },
  ringfold_peak_memory_bytes: {
    kind: "gauge",
    unit: "bytes",
    of: "process",
    labels: [],
    help: "Highest resident memory of this process so far",
  },
} as const satisfies MetricTable;
