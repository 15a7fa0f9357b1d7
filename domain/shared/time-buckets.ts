import { DateTime } from "luxon";
import { type Instant, instantFromMillis, millisOf } from "./instant.ts";

export type BucketStep = "1m" | "1h" | "1d";

const UNITS = { "1m": "minute", "1h": "hour", "1d": "day" } as const;

/**
 * Where the buckets from `from` to `until` begin in the time of the zone, and where the last one ends; null:
 * there would be more than `most`. A day is as long as in the zone: 23, 24 or 25 hours. An hour in which the
 * clock changes is one bucket.
 */
export function bucketEdges(
  { from, until }: { readonly from: Instant; readonly until: Instant },
  step: BucketStep,
  timezone: string,
  most: number,
): readonly Instant[] | null {
  const end = millisOf(until);
  let start: DateTime = DateTime.fromMillis(millisOf(from), { zone: timezone }).startOf(UNITS[step]);
  const edges = [start.toMillis()];
  while (start.toMillis() < end) {
    if (edges.length > most) return null;
    start = nextStart(start, step);
    edges.push(start.toMillis());
  }
  return edges.map(instantFromMillis);
}

function nextStart(start: DateTime, step: BucketStep): DateTime {
  if (step === "1m") return start.plus({ minutes: 1 });
  if (step === "1d") return start.plus({ days: 1 }).startOf("day");
  const next = start.plus({ hours: 1 });
  // The clock changed by half an hour: go on to the next full hour.
  return next.minute === 0 ? next : next.plus({ minutes: 60 - next.minute });
}
