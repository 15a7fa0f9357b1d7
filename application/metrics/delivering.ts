import type { MetricTable } from "./metric-row.ts";

/** Recordings and webhooks. */
export const DELIVERING = {
  ringfold_recordings_total: {
    kind: "counter",
    unit: "recordings",
    of: "process",
    labels: ["step", "result"],
    help: "Steps of recordings that ended: copy and delete (at the carrier), by result: copied, absent, erased, refused (too large), done, failed",
  },
  ringfold_recordings_disk_free_bytes: {
    kind: "gauge",
    unit: "bytes",
    of: "process",
    labels: [],
    help: "What is free on the disk of RECORDINGS_DIR; below 1 GiB or 5 % nothing is copied",
  },
  ringfold_recordings_waiting: {
    kind: "gauge",
    unit: "recordings",
    of: "installation",
    labels: ["step"],
    help: "Recordings that are still to be copied, or to be deleted at their carrier",
  },
  ringfold_webhook_attempts_total: {
    kind: "counter",
    unit: "attempts",
    of: "process",
    labels: ["class"],
    help: "Webhook attempts that ended, by class",
  },
  ringfold_webhook_attempt_duration_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: [],
    help: "Time of a webhook attempt",
  },
  ringfold_webhook_oldest_undelivered_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "installation",
    labels: [],
    help: "Age of the oldest webhook event that is neither delivered nor dead",
  },
} as const satisfies MetricTable;
