import { HORIZON_MILLIS, turnsWithin } from "./pace.ts";
import type { Millis } from "./rows.ts";
import type { ConnectionBook } from "./shared-book.ts";

/** No call waits longer for its connection. */
export const LONGEST_WAIT_MILLIS = 30_000;
const SHORTEST_SLOWING_MILLIS = 1_000;
const LONGEST_SLOWING_MILLIS = 60_000;

/** Turns that a campaign (up to the horizon) or a single call may have. */
export function connectionTurns(connection: ConnectionBook, now: Millis, isSingle: boolean): number {
  const { nextTurn, callsPerSecond } = connection;
  return turnsWithin(nextTurn, callsPerSecond, now, isSingle ? LONGEST_WAIT_MILLIS : HORIZON_MILLIS);
}

/** The next turn is late for more than the ordinary pace: the carrier's pause goes on, or the line is too long. */
export function isHeldUp({ slowed, slowedUntil, nextTurn }: ConnectionBook, now: Millis): boolean {
  return (slowed > 0 && now < slowedUntil) || nextTurn > now + LONGEST_WAIT_MILLIS;
}

/** How long the slowing that goes on is; one that nobody told of again is over, also when nobody has told of a dial that was taken. */
function slowingOf({ slowed, slowedUntil }: ConnectionBook, now: Millis): Millis {
  return now < slowedUntil + LONGEST_SLOWING_MILLIS ? slowed : 0;
}

/** `Admission.slowDown`: dials that were granted before it are refused in a crowd, which counts once. */
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

/** `Admission.tookDial`: the turn that a slowing moved stays where it is. A dial from before the slowing says nothing. */
export function endSlowing(connection: ConnectionBook, begunAt: Millis): void {
  const slowedAt = connection.slowedUntil - connection.slowed;
  if (connection.slowed === 0 || begunAt < slowedAt) return;
  connection.slowed = 0;
  connection.changed = true;
}
