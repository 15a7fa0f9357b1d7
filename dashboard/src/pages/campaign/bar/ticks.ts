const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Distances that are easy to read; longer ones are whole weeks. */
const DISTANCES = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7].map((count) => count * DAY),
];
const WEEK = 7 * DAY;

export type Ticks = {
  readonly instants: readonly number[] /** Between two of them. */;
  readonly distance: number;
};

/**
 * At most `most` round instants between the ends, in the reader's local time (`zone`: minutes ahead of UTC).
 */
export function ticksOf(from: number, until: number, most: number, zone: number): Ticks {
  const span = Math.max(0, until - from);
  const least = span / Math.max(1, most);
  const distance = DISTANCES.find((each) => each >= least) ?? Math.ceil(least / WEEK) * WEEK;
  const shift = zone * MINUTE;
  const instants: number[] = [];
  for (
    let at = Math.ceil((from + shift) / distance) * distance - shift;
    at < until && instants.length < most;
    at += distance
  )
    if (at > from) instants.push(at);
  return { instants, distance };
}
