import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import {
  type EventStore,
  isEventStoreFailure,
  type StoredEvent,
  type StreamName,
} from "../ports/event-store.ts";

const PAGE = 1_000;

/** A stream from a revision on, page by page. What this release cannot read is left out; a stream that is not there has no events. */
export async function* recordedEvents(
  { eventStore, codec }: { readonly eventStore: EventStore; readonly codec: EventCodec },
  stream: StreamName,
  first = 0,
): AsyncGenerator<RecordedEvent> {
  for (let from = first; ; ) {
    const page = await readPage(eventStore, stream, from, PAGE);
    for (const decoded of await codec.decode(page)) {
      if (decoded.kind === "event") yield decoded.recorded;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.revision + 1;
  }
}

/** A stream that is not there, or not any more, has no events. */
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
