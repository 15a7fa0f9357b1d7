import { HORIZON_MILLIS, turnsWithin } from "./pace.ts";
import type { ConnectionBook } from "./shared-book.ts";
import type { Millis } from "./slots.ts";

/** The longest wait of a call for its connection. */
export const LONGEST_WAIT_MILLIS = 30_000;
const SHORTEST_SLOWING_MILLIS = 1_000;
const LONGEST_SLOWING_MILLIS = 60_000;

/** Turns that a campaign (up to the horizon) or a single call may take. */
export function connectionTurns(connection: ConnectionBook, now: Millis, isSingle: boolean): number {
  const { nextTurn, callsPerSecond } = connection;
  return turnsWithin(nextTurn, callsPerSecond, now, isSingle ? LONGEST_WAIT_MILLIS : HORIZON_MILLIS);
}

/**
 * The next turn is later than the ordinary pace explains: the carrier's pause goes on, or
 * too many calls wait.
 */
export function isHeldUp({ slowed, slowedUntil, nextTurn }: ConnectionBook, now: Millis): boolean {
  return (slowed > 0 && now < slowedUntil) || nextTurn > now + LONGEST_WAIT_MILLIS;
}

/**
 * Length of the current slowing. A slowing that was not reported again is over after a time, also without a
 * report of an accepted dial.
 */
function slowingOf({ slowed, slowedUntil }: ConnectionBook, now: Millis): Millis {
  return now < slowedUntil + LONGEST_SLOWING_MILLIS ? slowed : 0;
}

/** `Admission.slowDown`: dials that were granted before it are refused together, which counts once. */
export function slow(connection: ConnectionBook, retryAfterMillis: number, now: Millis): void {
  const before = slowingOf(connection, now);
  const isCrowd = before > 0 && now < connection.slowedUntil;
  const doubled = isCrowd ? 0 : before * 2;
  const slowed = Math.min(
    LONGEST_SLOWING_MILLIS,
    Math.max(SHORTEST_SLOWING_MILLIS, retryAfterMillis, doubled),
  );
  const until = now + slowed;
  connection.slowed = isCrowd ? Math.max(before, slowed) : slowed;
  connection.slowedUntil = Math.max(connection.slowedUntil, until);
  connection.nextTurn = Math.max(connection.nextTurn, until);
  connection.changed = true;
}

/**
 * `Admission.tookDial`: the turn that a slowing moved is not moved back. A dial from before the
 * slowing says nothing.
 */
export function endSlowing(connection: ConnectionBook, begunAt: Millis): void {
  const slowedAt = connection.slowedUntil - connection.slowed;
  if (connection.slowed === 0 || begunAt < slowedAt) return;
  connection.slowed = 0;
  connection.changed = true;
}
