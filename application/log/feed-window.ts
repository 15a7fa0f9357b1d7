import type { Position } from "../ports/event-store.ts";
import type { FeedBatch } from "../ports/feed.ts";

/**
 * The last batches that the shared subscription delivered, bounded by weight. `since`: every event after that position, up to `position`, is here.
 */
export type FeedWindow = {
  readonly batches: {
    readonly number: number;
    readonly since: Position;
    readonly batch: FeedBatch;
    readonly weight: number;
  }[];
  since: Position;
  position: Position;
  weight: number;
  /** Batches that came so far; each has its number, from 0. */
  count: number;
};

export function createFeedWindow(start: Position): FeedWindow {
  return { batches: [], since: start, position: start, weight: 0, count: 0 };
}

export function appendBatch(window: FeedWindow, batch: FeedBatch): void {
  const weight = weightOf(batch);
  window.batches.push({ number: window.count, since: window.position, batch, weight });
  window.count += 1;
  window.position = batch.position;
  window.weight += weight;
}

/**
 * Drops the oldest batches: those that nobody needs any more (`needed`: the number of the first that somebody has not taken), and others until the
 * rest is no heavier than `limit`. The newest always stays.
 */
export function trimWindow(window: FeedWindow, limit: number, needed: number): void {
  for (let oldest = window.batches[0]; oldest !== undefined; oldest = window.batches[0]) {
    const mayGo = window.weight > limit || oldest.number < needed;
    if (!mayGo || window.batches.length === 1) return;
    window.batches.shift();
    window.weight -= oldest.weight;
    window.since = oldest.batch.position;
  }
}

/** A chunk of an import weighs as much as its contacts: memory is what is bounded, not a number of events. */
function weightOf({ events }: FeedBatch): number {
  return events.reduce(
    (sum, { event }) => sum + (event.type === "ContactsImported" ? 1 + event.data.contacts.length : 1),
    1,
  );
}
