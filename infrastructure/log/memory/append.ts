import type { Clock } from "../../../application/ports/clock.ts";
import {
  type AppendResult,
  EventStoreError,
  type EventToAppend,
  type ExpectedRevision,
  type StoredEvent,
  type StreamName,
} from "../../../application/ports/event-store.ts";
import type { EventJson } from "../append-guard.ts";
import { type MemoryDatabase, type MemoryStream, wakeReaders } from "./database.ts";

export type MemoryAppend = {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  readonly json: readonly EventJson[];
};

/** Writes at once, or answers what the same append answered before. */
export function appendInMemory(clock: Clock, database: MemoryDatabase, append: MemoryAppend): AppendResult {
  const { stream, expected, events } = append;
  const found = database.streams.get(stream) ?? { events: [], ids: new Set() };
  const actual = found.events.length - 1;
  if (actual !== (expected === "no_stream" ? -1 : expected)) return original(found, append, actual);
  const repeated = events.findIndex(({ id }) => found.ids.has(id));
  if (repeated !== -1)
    throw new EventStoreError({
      kind: "invalid_event",
      index: repeated,
      reason: "the stream has an event of this id",
    });
  database.streams.set(stream, found);
  for (const event of storedFormOf(append, actual + 1, database.events.length + 1, clock)) {
    found.events.push(event);
    found.ids.add(event.id);
    database.events.push(event);
  }
  wakeReaders(database);
  return { revision: actual + events.length, position: String(database.events.length) };
}

/**
 * The answer that the same events had when they were written at the expected place; Conflict
 * when others stand there.
 */
function original(
  found: MemoryStream,
  { stream, expected, events }: MemoryAppend,
  actual: number,
): AppendResult {
  const first = expected === "no_stream" ? 0 : expected + 1;
  const last = found.events[first + events.length - 1];
  if (last !== undefined && events.every(({ id }, index) => found.events[first + index]?.id === id))
    return { revision: last.revision, position: last.position };
  throw new EventStoreError({
    kind: "conflict",
    stream,
    expected,
    actual: actual === -1 ? "no_stream" : actual,
  });
}

/** Read back from the JSON, as from any database: nobody shares an object with the writer. */
function storedFormOf(
  { stream, events, json }: MemoryAppend,
  firstRevision: number,
  firstPosition: number,
  clock: Clock,
): StoredEvent[] {
  const created = clock.now();
  return events.map(({ id, type, metadata }, index) => ({
    id,
    type,
    data: JSON.parse(json[index]?.data ?? "{}"),
    metadata: { ...metadata },
    stream,
    revision: firstRevision + index,
    position: String(firstPosition + index),
    created,
  }));
}
