import type { DomainEvent } from "../../domain/events.ts";
import { type EventStore, START, type StoredEvent } from "../ports/event-store.ts";

const PAGE = 1_000;

/**
 * All events of these types from the beginning of the log, page by page. Rejects when the log is unavailable.
 */
export async function* eventsOfTypes(
  eventStore: EventStore,
  types: readonly DomainEvent["type"][],
): AsyncGenerator<StoredEvent> {
  for (let after = START; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter: { types } });
    yield* page.events;
    if (page.atEnd) return;
    after = page.next;
  }
}
