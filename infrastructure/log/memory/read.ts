import {
  EventStoreError,
  type Position,
  type ReadAllOptions,
  type ReadAllPage,
  type ReadOptions,
  START,
  type StoredEvent,
  type StreamName,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import { matchesFilter } from "../event-filter.ts";
import type { MemoryDatabase } from "./database.ts";

const DEFAULT_BATCH = 500;

export function readStream(
  database: MemoryDatabase,
  stream: StreamName,
  { direction, from, max = Number.POSITIVE_INFINITY }: ReadOptions,
): readonly StoredEvent[] {
  const events = database.streams.get(stream)?.events;
  if (events === undefined) throw new EventStoreError({ kind: "not_found", stream });
  if (direction !== "backward") return events.slice(from ?? 0, (from ?? 0) + max);
  const end = Math.min(from ?? events.length - 1, events.length - 1) + 1;
  return events.slice(Math.max(0, end - max), end).reverse();
}

export function readAll(
  database: MemoryDatabase,
  { after, before, backward = false, limit, filter }: ReadAllOptions,
): ReadAllPage {
  const first = placeOf(after);
  const end =
    before === undefined ? database.events.length : Math.min(placeOf(before) - 1, database.events.length);
  const events: StoredEvent[] = [];
  let looked = 0;
  for (; first + looked < end && events.length < limit; looked += 1) {
    const event = database.events[backward ? end - 1 - looked : first + looked];
    if (event !== undefined && matchesFilter(event, filter)) events.push(event);
  }
  const atEnd = first + looked >= end;
  const next = backward ? Math.max(first, end + 1 - looked) : first + looked;
  return { events, next: next === 0 ? START : String(next), atEnd };
}

/**
 * Waits for appends, not for time: usable under a virtual clock. Ends when its own signal or `closed` aborts.
 */
export async function* subscribe(
  database: MemoryDatabase,
  { after, filter, batchSize = DEFAULT_BATCH, signal }: SubscribeOptions,
  closed: AbortSignal,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  let position = after;
  let saidAtEnd = false;
  let wake = () => {};
  const lookUp = () => wake();
  signal.addEventListener("abort", lookUp);
  closed.addEventListener("abort", lookUp);
  try {
    while (!signal.aborted && !closed.aborted) {
      if (database.running) {
        const page = readAll(database, { after: position, limit: batchSize, ...(filter && { filter }) });
        if (page.next !== position || page.atEnd !== saidAtEnd) {
          position = page.next;
          saidAtEnd = page.atEnd;
          yield { events: page.events, position, caughtUp: page.atEnd };
          continue;
        }
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        database.waiting.add(resolve);
      });
      database.waiting.delete(wake);
    }
  } finally {
    signal.removeEventListener("abort", lookUp);
    closed.removeEventListener("abort", lookUp);
  }
}

export function comparePositions(a: Position, b: Position): number {
  return placeOf(a) - placeOf(b);
}

/** How many events lie at or before it. */
function placeOf(position: Position): number {
  return position === START ? 0 : Number(position);
}
