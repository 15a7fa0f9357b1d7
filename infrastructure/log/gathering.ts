import { systemClock } from "../clock.ts";

/** So many events in a second cost little as they come. */
const QUIET_EVENTS = 8;
/** For each further one. */
const GATHER_MILLIS = 3;
const LONGEST_GATHER_MILLIS = 100;
const RECENT_MILLIS = 1_000;
/** After a page of QUIET_EVENTS and more, for whoever waits. */
const AWAITED_GATHER_MILLIS = 20;
/** Somebody may begin to wait meanwhile. */
const LOOK_MILLIS = 5;

/** Waits after a page of so many events, or until `signal` aborts. */
export type Gathering = (events: number, signal: AbortSignal) => Promise<void>;

/**
 * For a subscription that many follow: each of its pages costs every follower its statements, for one event
 * as for a hundred. While the log is busy, by the events of the last second, it waits after each page, at
 * most 100 ms. A write that waits for what it appended (`isAwaited`) is not kept waiting, or for 20 ms where
 * pages are large all the same.
 */
export function createGathering(isAwaited: () => boolean): Gathering {
  const recentWith = createRecentCount();
  return async (events, signal) => {
    const wanted = GATHER_MILLIS * (recentWith(events) - QUIET_EVENTS);
    const longest = Math.min(wanted, LONGEST_GATHER_MILLIS);
    const shortest = events < QUIET_EVENTS ? 0 : AWAITED_GATHER_MILLIS;
    const began = systemClock.monotonicMillis();
    let waited = 0;
    while (waited < longest && !signal.aborted && !(waited >= shortest && isAwaited())) {
      await systemClock.sleep(Math.min(longest - waited, LOOK_MILLIS), signal);
      waited = systemClock.monotonicMillis() - began;
    }
  };
}

/** About how many events came in the last second, with these: each counts less with time. */
function createRecentCount(): (events: number) => number {
  let count = 0;
  let countedAt = systemClock.monotonicMillis();
  return (events) => {
    const now = systemClock.monotonicMillis();
    count = count * Math.exp((countedAt - now) / RECENT_MILLIS) + events;
    countedAt = now;
    return count;
  };
}
