import type { CampaignId, OwnerId } from "../shared/ids.ts";
import type { ConnectionTurn } from "./requests.ts";
import type { Demand, Millis, SlotRow } from "./slots.ts";

/** A row of work.connection_turns, with its last known limits. */
export type ConnectionBook = ConnectionTurn & {
  /** Open slots of calls through it; 0 for a connection without limits. */
  live: number;
  /** First free turn. */
  nextTurn: Millis;
  /** Turns at or after `nextTurn` that the pace of a plan or campaign has taken, ascending. */
  readonly aheadTurns: Millis[];
  /** Length of the last slowing; 0: a dial was accepted since. */
  slowed: Millis;
  slowedUntil: Millis;
  /** Whether it has to be written. */
  changed: boolean;
};

/**
 * Conversations that all live processes together can hold, and the open slots. An audio call takes as much of
 * a process as `text / audio` text calls.
 */
export type Capacity = {
  readonly text: number;
  readonly audio: number;
  openText: number;
  openAudio: number;
};

/** A campaign that waits for a shared resource. */
export type Waiter = {
  readonly owner: OwnerId;
  readonly campaignId: CampaignId;
  readonly waitsFor: string;
  readonly lastGrant: Millis;
};

/** The resources that all owners share, as held by one transaction. */
export type SharedBook = {
  readonly connections: Map<string, ConnectionBook>;
  /** null: no process has reported its limit. */
  readonly capacity: Capacity | null;
  /** Campaigns with a valid demand, the longest waiting first. */
  readonly waiters: Map<CampaignId, Waiter>;
};

export const CAPACITY = "capacity";
export const forConnection = (key: string): string => `carrier ${key}`;

/** The connection's book with the limits of this request. */
export function connectionOf(shared: SharedBook, turn: ConnectionTurn): ConnectionBook {
  const known = shared.connections.get(turn.key);
  const same =
    known !== undefined &&
    known.callsPerSecond === turn.callsPerSecond &&
    known.maxConcurrentCalls === turn.maxConcurrentCalls;
  const { live = 0, nextTurn = 0, aheadTurns = [], slowed = 0, slowedUntil = 0 } = known ?? {};
  const changed = (known?.changed ?? false) || !same;
  const book: ConnectionBook = { ...turn, live, nextTurn, aheadTurns, slowed, slowedUntil, changed };
  shared.connections.set(turn.key, book);
  return book;
}

export function freeLines({ maxConcurrentCalls, live }: ConnectionBook): number {
  return maxConcurrentCalls === null ? Number.POSITIVE_INFINITY : Math.max(0, maxConcurrentCalls - live);
}

/** How many more conversations of this kind all processes together can hold. */
export function freeCapacity({ capacity }: SharedBook, audio: boolean): number {
  if (capacity === null) return Number.POSITIVE_INFINITY;
  const { text, audio: sound, openText, openAudio } = capacity;
  if (audio ? sound === 0 : text === 0) return 0;
  if (sound === 0 || text === 0) return Math.max(0, text + sound - openText - openAudio);
  const left = text * sound - openText * sound - openAudio * text;
  return Math.max(0, Math.floor(left / (audio ? text : sound)));
}

/** A slot is opened (1) or closed (-1). */
export function countSlot({ capacity, connections }: SharedBook, slot: SlotRow, by: 1 | -1): void {
  const connection = slot.connection === null ? undefined : connections.get(slot.connection);
  if (connection !== undefined) connection.live += by;
  if (capacity === null) return;
  if (slot.audio) capacity.openAudio += by;
  else capacity.openText += by;
}

/** This campaign's part of `free` places: they go one by one to the campaign that has waited longest. */
export function partOf(
  { waiters }: SharedBook,
  waitsFor: string,
  { campaignId, lastGrant }: Demand,
  free: number,
): number {
  if (!Number.isFinite(free)) return free;
  const others = [...waiters.values()].filter(
    (waiter) => waiter.waitsFor === waitsFor && waiter.campaignId !== campaignId,
  );
  const before = others.filter(
    (other) =>
      other.lastGrant < lastGrant || (other.lastGrant === lastGrant && other.campaignId < campaignId),
  );
  const all = others.length + 1;
  return Math.floor(free / all) + (before.length < free % all ? 1 : 0);
}

/** Records what the campaign waits for now. */
export function noteWaiter(shared: SharedBook, owner: OwnerId, demand: Demand, now: Millis): void {
  const { campaignId, waitsFor, wanted, until, lastGrant } = demand;
  if (waitsFor === null || wanted === 0 || until <= now) shared.waiters.delete(campaignId);
  else shared.waiters.set(campaignId, { owner, campaignId, waitsFor, lastGrant });
}
