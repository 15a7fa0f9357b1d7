import { readPage } from "../../application/log/recorded-events.ts";
import {
  type EventFilter,
  type EventStore,
  type Position,
  START,
  type StoredEvent,
  type StreamName,
} from "../../application/ports/event-store.ts";
import type { OwnerEventsFilter, OwnerEventsPage } from "../../application/ports/queries/history-records.ts";
import type { Heard } from "../../application/ports/queries.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { loadCheckpoint } from "../engine/checkpoints.ts";
import { modelOf, type ReadDatabase } from "../engine/projection.ts";
import { withActorNames } from "./actor-names.ts";
import { historyRecord, streamOfId } from "./history-record.ts";
import { findOwnerEvents, ownerEventsProjection, positionBefore } from "./owner-events.ts";
import { type LogDeps, PAGE_CHARACTERS } from "./stream-history.ts";

export type OwnerHistoryPage = {
  readonly rows: readonly HistoryRecord[];
  readonly next: Position;
  readonly atEnd: boolean;
};

/** `ownerIndex`: the database with the read model owner-events; null if the log itself can query by owner. */
export type OwnerHistoryDeps = LogDeps & { readonly ownerIndex: ReadDatabase | null };

const READ_AT_ONCE = 16;

/** An owner's events after a position, from the log. Beyond the end of the log: no events, and the end. */
export async function ownerEvents(
  deps: OwnerHistoryDeps,
  owner: OwnerId,
  filter: OwnerEventsFilter,
  page: OwnerEventsPage,
  heard?: Heard,
): Promise<OwnerHistoryPage> {
  const { eventStore, codec, ownerIndex: index } = deps;
  if (eventStore.comparePositions(page.after, await eventStore.head()) >= 0)
    return { rows: [], next: page.after, atEnd: true };
  if (index !== null) return indexedEvents(deps, index, owner, filter, page, heard);
  const { events, next, atEnd } = await eventStore.readAll({ ...page, filter: logFilter(owner, filter) });
  const records = (await codec.withWords(events)).map(historyRecord);
  return { rows: await withActorNames(deps, records), next, atEnd };
}

/**
 * The index has the positions of the events, the log their content. `next` is never before the
 * position of the index.
 */
async function indexedEvents(
  deps: LogDeps,
  index: ReadDatabase,
  owner: OwnerId,
  filter: OwnerEventsFilter,
  page: OwnerEventsPage,
  heard?: Heard,
): Promise<OwnerHistoryPage> {
  const { eventStore, codec } = deps;
  const { limit, after } = page;
  const { comparePositions } = eventStore;
  const model = modelOf(ownerEventsProjection(comparePositions));
  const seen = (await loadCheckpoint(index, model))?.position ?? START;
  heard?.(seen);
  const places = await findOwnerEvents(index, comparePositions, owner, filter, { ...page, limit: limit + 1 });
  const { found, read } = await readPlaces(eventStore, places.slice(0, limit));
  const events = await codec.withWords(found);
  const last = places[read - 1]?.position ?? after;
  const atEnd = places.length === read;
  const reachesOn = atEnd && page.backward !== true && page.before === undefined;
  return {
    rows: await withActorNames(deps, events.map(historyRecord)),
    next: reachesOn && comparePositions(seen, last) > 0 ? seen : last,
    atEnd,
  };
}

/**
 * The position before the last `most` events. Positions in PostgreSQL are counted; in EventStoreDB they are
 * byte offsets, so there the owner's own events are counted.
 */
export async function recentEvents(
  { eventStore, ownerIndex }: OwnerHistoryDeps,
  owner: OwnerId,
  after: Position,
  most: number,
): Promise<{ readonly floor: Position; readonly reaches: boolean }> {
  const first = Number(await eventStore.head()) - most;
  const floor =
    ownerIndex !== null ? await positionBefore(ownerIndex, owner, most) : first <= 0 ? START : String(first);
  return { floor, reaches: eventStore.comparePositions(after, floor) >= 0 };
}

type Place = { readonly stream: StreamName; readonly revision: number };

/** `read`: how many of the places, fewer when their events are large. */
async function readPlaces(eventStore: EventStore, places: readonly Place[]) {
  const found: StoredEvent[] = [];
  let read = 0;
  for (let characters = 0; read < places.length && characters < PAGE_CHARACTERS; ) {
    const group = places.slice(read, read + READ_AT_ONCE);
    const events = await Promise.all(
      group.map(({ stream, revision }) => readPage(eventStore, stream, revision, 1)),
    );
    found.push(...events.flat());
    read += group.length;
    for (const { data } of events.flat()) characters += JSON.stringify(data).length;
  }
  return { found, read };
}

function logFilter(owner: OwnerId, { types, streamOf, campaignId }: OwnerEventsFilter): EventFilter {
  return {
    owner,
    ...(types === undefined ? {} : { types }),
    ...(streamOf === undefined ? {} : { streams: [streamOfId(streamOf)] }),
    ...(campaignId === undefined ? {} : { campaignId }),
  };
}
