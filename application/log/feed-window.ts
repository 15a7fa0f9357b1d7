import type { Position } from "../ports/event-store.ts";
import type { FeedBatch } from "../ports/feed.ts";

/**
 * The last batches of the shared subscription, bounded by weight. `since`: all events after that position, up
 * to `position`, are in it.
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
  /** Number of batches so far; batches are numbered from 0. */
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
 * Drops the oldest batches: those that nobody needs any more (`needed`: the first number that a follower has
 * not taken), then others until the weight is at most `limit`. The newest batch always stays.
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

/**
 * A chunk of an import weighs as much as its contacts, because memory is bounded and not
 * the number of events.
 */
function weightOf({ events }: FeedBatch): number {
  return events.reduce(
    (sum, { event }) => sum + (event.type === "ContactsImported" ? 1 + event.data.contacts.length : 1),
    1,
  );
}
