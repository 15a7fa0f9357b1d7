import type { CampaignId } from "../shared/ids.ts";
import { availableCredits, type OwnerBook } from "./owner-book.ts";
import { ownTurns, planTurns, turnsAgainAt } from "./pace.ts";
import { roomOf } from "./room.ts";
import type { Demand, Millis } from "./slots.ts";

/** min(campaign cap, plan). */
export function effectiveCap(book: OwnerBook, cap: number | null): number {
  const plan = book.plan?.maxConcurrentCalls ?? 0;
  return cap === null ? plan : Math.min(cap, plan);
}

export function freeSlots(book: OwnerBook): number {
  return Math.max(0, (book.plan?.maxConcurrentCalls ?? 0) - book.live);
}

/** What campaigns share: slots of the plan that also have a turn soon. */
function shareable(book: OwnerBook, now: Millis): number {
  return Math.min(freeSlots(book), planTurns(book, now));
}

/** How many more calls the campaign could take if it were the only one of its owner. */
function couldTake(book: OwnerBook, demand: Demand, wanted: number, now: Millis): number {
  const own = Math.min(wanted, effectiveCap(book, demand.cap) - demand.live, ownTurns(demand, now));
  return Math.max(0, Math.min(own, roomOf(book.shared, demand, now)));
}

/**
 * How many of `wanted` the campaign gets now. Free slots go one by one to the campaign with the fewest live
 * calls, then to the one that has waited longest (docs/architecture.md §4). Expired demands do not count.
 */
export function shareOf(book: OwnerBook, demand: Demand, wanted: number, now: Millis): number {
  const most = Math.min(couldTake(book, demand, wanted, now), shareable(book, now));
  const others = [...book.demands.values()].filter((other) => other !== demand && other.until > now);
  if (others.every((other) => other.wanted === 0)) return most;
  let got = 0;
  let tooMany = most + 1;
  while (tooMany - got > 1) {
    const middle = Math.floor((got + tooMany) / 2);
    if (middle + givenBefore(book, demand, middle, others, now) <= shareable(book, now)) got = middle;
    else tooMany = middle;
  }
  return got;
}

/** Slots that go to others before the campaign's `nth`. */
function givenBefore(
  book: OwnerBook,
  demand: Demand,
  nth: number,
  others: readonly Demand[],
  now: Millis,
): number {
  const level = demand.live + nth - 1;
  let given = 0;
  for (const other of others) {
    const ahead = level - other.live + (waitsLonger(other, demand) ? 1 : 0);
    if (ahead > 0) given += Math.min(ahead, couldTake(book, other, other.wanted, now));
  }
  return given;
}

function waitsLonger(one: Demand, other: Demand): boolean {
  if (one.lastGrant !== other.lastGrant) return one.lastGrant < other.lastGrant;
  return one.campaignId < other.campaignId;
}

export type WakeRound = {
  readonly wakes: readonly CampaignId[];
  /** When the next round is due without any other event; null: never. */
  readonly again: Millis | null;
};

/**
 * Campaigns that could go on now. A free slot wakes only the campaign that gets it. Slots that no fresh
 * demand can take wake campaigns with an expired demand (they ask again if they still run). A campaign
 * refused for credits is woken when they suffice.
 */
export function wakeRound(book: OwnerBook, now: Millis): WakeRound {
  if (!book.active) return { wakes: [], again: null };
  const demands = [...book.demands.values()].filter(
    (demand) => demand.wanted > 0 && effectiveCap(book, demand.cap) > demand.live,
  );
  const fresh = demands.filter(({ until }) => until > now);
  const wakes = new Set<CampaignId>();
  for (const demand of fresh) if (shareOf(book, demand, 1, now) > 0) wakes.add(demand.campaignId);
  const taken = fresh.reduce((sum, demand) => sum + couldTake(book, demand, demand.wanted, now), 0);
  for (const demand of demands) {
    if (demand.until <= now && shareable(book, now) > taken && couldTake(book, demand, 1, now) > 0)
      wakes.add(demand.campaignId);
  }
  const waiting = demands.filter(({ campaignId }) => !wakes.has(campaignId));
  for (const { campaignId, creditsWanted } of book.demands.values()) {
    if (creditsWanted !== null && availableCredits(book) >= creditsWanted) wakes.add(campaignId);
  }
  return { wakes: [...wakes], again: nextRound(book, waiting, fresh, now) };
}

/** When turns come into the horizon, and when demands expire and leave their share to others. */
function nextRound(
  book: OwnerBook,
  waiting: readonly Demand[],
  fresh: readonly Demand[],
  now: Millis,
): Millis | null {
  if (waiting.length === 0 || freeSlots(book) === 0) return null;
  const times = [
    ...waiting.map((demand) =>
      turnsAgainAt(Math.max(demand.nextTurn, book.nextTurn, connectionTurn(book, demand))),
    ),
    ...fresh.map(({ until }) => until),
  ].filter((time) => time > now);
  return times.length === 0 ? null : Math.min(...times);
}

function connectionTurn({ shared }: OwnerBook, { connection }: Demand): Millis {
  return connection === null ? 0 : (shared.connections.get(connection)?.nextTurn ?? 0);
}
