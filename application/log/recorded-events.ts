import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import {
  type EventStore,
  isEventStoreFailure,
  type StoredEvent,
  type StreamName,
} from "../ports/event-store.ts";
import { firstPageSize, nextPageSize } from "./page-sizes.ts";

/**
 * A stream from a revision on, page by page. Events that this release cannot read are left out; a missing
 * stream has no events. `ahead`: the next page is read while one is processed, for callers that read to the
 * end; two pages are in memory then.
 */
export async function* recordedEvents(
  { eventStore, codec }: { readonly eventStore: EventStore; readonly codec: EventCodec },
  stream: StreamName,
  first = 0,
  { ahead = false } = {},
): AsyncGenerator<RecordedEvent> {
  let size = firstPageSize(stream);
  const read = (from: number) => readPage(eventStore, stream, from, size);
  for (let next: Promise<readonly StoredEvent[]> | null = read(first); next !== null; ) {
    const page: readonly StoredEvent[] = await next;
    const last = page.at(-1);
    const more = last === undefined || page.length < size ? null : last.revision + 1;
    size = nextPageSize(stream, size, page);
    next = more === null || !ahead ? null : read(more);
    // A caller that stops early does not need its failure.
    next?.catch(() => undefined);
    for (const decoded of await codec.decode(page)) {
      if (decoded.kind === "event") yield decoded.recorded;
    }
    if (more !== null) next ??= read(more);
  }
}

/** A stream that is missing or deleted has no events. */
export async function readPage(
  eventStore: EventStore,
  stream: StreamName,
  from: number,
  max: number,
): Promise<readonly StoredEvent[]> {
  try {
    return await eventStore.read(stream, { from, max });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found") || isEventStoreFailure(error, "deleted")) return [];
    throw error;
  }
}
