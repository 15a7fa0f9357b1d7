import { firstPageSize, nextPageSize } from "../../application/log/page-sizes.ts";
import { readPage } from "../../application/log/recorded-events.ts";
import type { EventCodec, RecordedEvent } from "../../application/ports/event-codec.ts";
import type { EventStore, StoredEvent, StreamName } from "../../application/ports/event-store.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { type ActorNames, withActorNames } from "./actor-names.ts";
import { historyRecord } from "./history-record.ts";

export type LogDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  /** Absent: no names. */
  readonly actorNames?: ActorNames;
};

/**
 * The events that had happened by `at`, whatever is between them: in an older log times of a stream may fall.
 * Contacts of an import are visible from its seal on, so its chunks are included however late they were
 * stored: in an older log a seal has the time at which its import began. They are no part of what an answer
 * had come to (`hadHappened`). A campaign that was deleted is gone at every time.
 */
export async function* eventsUntil(
  events: AsyncIterable<RecordedEvent>,
  at: Instant,
): AsyncGenerator<RecordedEvent> {
  for await (const recorded of events) {
    if (AT_EVERY_TIME.has(recorded.event.type) || hadHappened(recorded, at)) yield recorded;
  }
}

const AT_EVERY_TIME: ReadonlySet<DomainEvent["type"]> = new Set(["ContactsImported", "CampaignDeleted"]);

export function hadHappened({ event }: RecordedEvent, at: Instant): boolean {
  return event.data.at <= at;
}

/** A page ends behind so much data, however many events were asked for: chunks of an import are large. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/**
 * Oldest first, after a revision. null: the stream has no event of this owner. Read from the
 * log, so never behind.
 */
export async function streamHistory(
  deps: LogDeps,
  owner: OwnerId,
  stream: StreamName,
  { limit, after }: PageRequest<number>,
): Promise<Page<HistoryRecord, number> | null> {
  const { eventStore, codec } = deps;
  const from = after === null ? 0 : after + 1;
  const { events, isCut } = await readSome(eventStore, stream, from, limit + 1);
  const [witness] = events.length > 0 ? events : await readPage(eventStore, stream, 0, 1);
  if (witness === undefined || witness.metadata.owner !== owner) return null;
  const records = (await codec.withWords(events)).map(historyRecord);
  const most = isCut ? Math.min(limit, records.length - 1) : limit;
  return pageOf(await withActorNames(deps, records), most, ({ revision }) => revision);
}

/** `isCut`: the last event is that behind the page; at least one is before it. */
async function readSome(eventStore: EventStore, stream: StreamName, from: number, most: number) {
  const events: StoredEvent[] = [];
  let size = firstPageSize(stream);
  for (let characters = 0; events.length < most; ) {
    const asked = Math.min(size, most - events.length);
    const page = await readPage(eventStore, stream, from + events.length, asked);
    for (const event of page) {
      events.push(event);
      if (characters >= PAGE_CHARACTERS) return { events, isCut: true };
      characters += JSON.stringify(event.data).length;
    }
    if (page.length < asked) break;
    size = nextPageSize(stream, size, page);
  }
  return { events, isCut: false };
}
