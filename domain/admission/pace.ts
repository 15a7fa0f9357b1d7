import type { OwnerBook } from "./owner-book.ts";
import type { ConnectionBook } from "./shared-book.ts";
import type { Demand, Millis } from "./slots.ts";

/**
 * No campaign gets a turn further ahead than this: granted calls must be able to end soon
 * (pause, closing window).
 */
export const HORIZON_MILLIS = 2_000;

export type Turn = { readonly at: Millis; readonly paced: boolean };

/** Turns one interval apart, from `nextTurn` on, except those in `ahead`, which another pace has taken. */
type Turns = { readonly next: Millis; readonly ahead: Millis[]; readonly interval: Millis };

/**
 * Takes the next turn of the plan's pace (and of the campaign's own, and the connection's). Dials of one
 * owner are at least `1 / maxCallsPerSecond` apart, also around turns that another pace takes further ahead;
 * such a turn does not delay the others. The same holds for dials of one connection.
 */
export function takeTurn(
  book: OwnerBook,
  demand: Demand | null,
  now: Millis,
  connection: ConnectionBook | null = null,
): Turn {
  const plan = turnsOf(book.nextTurn, book.pacedTurns, book.plan?.maxCallsPerSecond ?? null, now);
  const line =
    connection === null
      ? null
      : turnsOf(connection.nextTurn, connection.aheadTurns, connection.callsPerSecond, now);
  const at = commonTurn(plan, line, Math.max(plan.next, line?.next ?? 0, demand?.nextTurn ?? 0));
  const paced = isAhead(plan, at);
  if (paced) {
    insertSorted(book.pacedTurns, at);
    book.pacedUntil = Math.max(book.pacedUntil, at + plan.interval);
  } else {
    book.nextTurn = at + plan.interval;
  }
  if (connection !== null && line !== null && line.interval > 0) {
    connection.changed = true;
    if (isAhead(line, at)) insertSorted(connection.aheadTurns, at);
    else connection.nextTurn = at + line.interval;
  }
  if (demand !== null) demand.nextTurn = at + intervalOf(demand.perSecond);
  return { at, paced };
}

/** When the connection alone would accept the next dial. */
export function connectionTurnAt(connection: ConnectionBook, now: Millis): Millis {
  const { nextTurn, aheadTurns, callsPerSecond } = connection;
  const { next, ahead, interval } = turnsOf(nextTurn, aheadTurns, callsPerSecond, now);
  return firstFree(ahead, next, interval);
}

/**
 * Takes the next turn of the connection alone; null, and nothing is taken, when there is
 * none before that time.
 */
export function takeConnectionTurn(connection: ConnectionBook, now: Millis, before: Millis): Millis | null {
  const at = connectionTurnAt(connection, now);
  if (at >= before) return null;
  const interval = intervalOf(connection.callsPerSecond);
  if (interval === 0) return at;
  connection.nextTurn = at + interval;
  connection.changed = true;
  return at;
}

/** Turns of the plan up to the horizon. */
export function planTurns(book: OwnerBook, now: Millis): number {
  return turnsWithin(book.nextTurn, book.plan?.maxCallsPerSecond ?? null, now, HORIZON_MILLIS);
}

/** Turns of the campaign's own pace up to the horizon. */
export function ownTurns(demand: Demand, now: Millis): number {
  return turnsWithin(demand.nextTurn, demand.perSecond, now, HORIZON_MILLIS);
}

/** When some turns are within the horizon again; early by half of it, so that they come in groups. */
export function turnsAgainAt(nextTurn: Millis): Millis {
  return nextTurn - HORIZON_MILLIS / 2;
}

/** Turns that are no further ahead than this. */
export function turnsWithin(
  nextTurn: Millis,
  perSecond: number | null,
  now: Millis,
  horizon: Millis,
): number {
  const left = now + horizon - Math.max(now, nextTurn);
  if (left < 0) return 0;
  const interval = intervalOf(perSecond);
  return interval === 0 ? Number.POSITIVE_INFINITY : Math.floor(left / interval) + 1;
}

function turnsOf(nextTurn: Millis, ahead: Millis[], perSecond: number | null, now: Millis): Turns {
  const interval = intervalOf(perSecond);
  dropPassed(ahead, now - interval);
  return { next: Math.max(now, nextTurn), ahead, interval };
}

function intervalOf(perSecond: number | null): Millis {
  return perSecond === null ? 0 : 1000 / perSecond;
}

/** The first turn from here on that is free in both. */
function commonTurn(plan: Turns, line: Turns | null, from: Millis): Millis {
  for (let at = from; ; ) {
    const free = firstFree(plan.ahead, at, plan.interval);
    const both = line === null ? free : firstFree(line.ahead, free, line.interval);
    if (both === free) return both;
    at = both;
  }
}

/** Whether another pace put the turn further ahead than its own pace would. */
function isAhead({ next, ahead, interval }: Turns, at: Millis): boolean {
  return at > firstFree(ahead, next, interval);
}

function firstFree(taken: readonly Millis[], from: Millis, interval: Millis): Millis {
  let at = from;
  for (const turn of taken) {
    if (turn <= at - interval) continue;
    if (turn >= at + interval) break;
    at = turn + interval;
  }
  return at;
}

function dropPassed(turns: Millis[], until: Millis): void {
  const first = turns.findIndex((turn) => turn > until);
  turns.splice(0, first < 0 ? turns.length : first);
}

function insertSorted(turns: Millis[], at: Millis): void {
  const index = turns.findIndex((turn) => turn > at);
  turns.splice(index < 0 ? turns.length : index, 0, at);
}
