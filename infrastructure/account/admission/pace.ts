import type { Demand, Millis, OwnerBook } from "./owner-book.ts";

/** A campaign gets no turn that lies further ahead: what is granted must be able to end soon (pause, closing window). */
export const HORIZON_MILLIS = 2_000;

export type Turn = { readonly at: Millis; readonly paced: boolean };

/**
 * Takes the next turn of the plan's pace (and of the campaign's own). Dials of one owner lie at least `1 / maxCallsPerSecond` apart, also around
 * those that a campaign's own pace puts further ahead; such a one holds nobody else up.
 */
export function takeTurn(book: OwnerBook, demand: Demand | null, now: Millis): Turn {
  const interval = intervalOf(book.plan?.maxCallsPerSecond ?? null);
  const planned = Math.max(now, book.nextTurn);
  const own = demand === null ? planned : Math.max(planned, demand.nextTurn);
  dropPassed(book.pacedTurns, now - interval);
  const at = firstFree(book.pacedTurns, own, interval);
  const paced = own > planned;
  if (paced) {
    insertSorted(book.pacedTurns, at);
    book.pacedUntil = Math.max(book.pacedUntil, at + interval);
  } else {
    book.nextTurn = at + interval;
  }
  if (demand !== null) demand.nextTurn = at + intervalOf(demand.perSecond);
  return { at, paced };
}

/** Turns of the plan up to the horizon. */
export function planTurns(book: OwnerBook, now: Millis): number {
  return turnsUntilHorizon(book.nextTurn, intervalOf(book.plan?.maxCallsPerSecond ?? null), now);
}

/** Turns of the campaign's own pace up to the horizon. */
export function ownTurns(demand: Demand, now: Millis): number {
  return turnsUntilHorizon(demand.nextTurn, intervalOf(demand.perSecond), now);
}

/** When some turns are within the horizon again; half of it early, so that they come in groups. */
export function turnsAgainAt(nextTurn: Millis): Millis {
  return nextTurn - HORIZON_MILLIS / 2;
}

function turnsUntilHorizon(nextTurn: Millis, interval: Millis, now: Millis): number {
  const left = now + HORIZON_MILLIS - Math.max(now, nextTurn);
  if (left < 0) return 0;
  return interval === 0 ? Number.POSITIVE_INFINITY : Math.floor(left / interval) + 1;
}

function intervalOf(perSecond: number | null): Millis {
  return perSecond === null ? 0 : 1000 / perSecond;
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
