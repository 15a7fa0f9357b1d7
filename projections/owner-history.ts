import type { RecordedEvent } from "../application/ports/event-codec.ts";
import type { EventFilter, Position } from "../application/ports/event-store.ts";
import type { Feed } from "../application/ports/feed.ts";
import type { HistoryRecord, OwnerEventsFilter } from "../application/ports/queries.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { historyRecord, streamOfId } from "./history-record.ts";
import type { LogDeps } from "./stream-history.ts";

export type OwnerHistoryPage = {
  readonly rows: readonly HistoryRecord[];
  readonly next: Position;
  readonly atEnd: boolean;
};

const BATCH = 500;

/** An owner's events after a position, from the log. A position beyond the end of the log: nothing, and nothing more. */
export async function ownerEvents(
  { eventStore }: LogDeps,
  owner: OwnerId,
  filter: OwnerEventsFilter,
  { after, limit }: { readonly after: Position; readonly limit: number },
): Promise<OwnerHistoryPage> {
  if (eventStore.comparePositions(after, await eventStore.head()) >= 0)
    return { rows: [], next: after, atEnd: true };
  const { events, next, atEnd } = await eventStore.readAll({
    after,
    limit,
    filter: logFilter(owner, filter),
  });
  return { rows: events.map(historyRecord), next, atEnd };
}

/** The same, then live through the feed of this process, so that a thousand followers are still one subscription. Ends with the signal. */
export async function* followOwnerEvents(
  deps: LogDeps & { readonly feed: Feed },
  owner: OwnerId,
  filter: OwnerEventsFilter,
  { after, signal }: { readonly after: Position; readonly signal: AbortSignal },
): AsyncGenerator<readonly HistoryRecord[]> {
  let position = after;
  for (let atEnd = false; !atEnd && !signal.aborted; ) {
    const page = await ownerEvents(deps, owner, filter, { after: position, limit: BATCH });
    if (page.rows.length > 0) yield page.rows;
    ({ next: position, atEnd } = page);
  }
  const matches = matcher(owner, filter);
  for await (const { events } of deps.feed.follow({ after: position, signal, name: "owner-events" })) {
    const rows = events.filter(matches).map((recorded) => liveRecord(deps, recorded));
    for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
  }
}

function logFilter(owner: OwnerId, { types, streamOf }: OwnerEventsFilter): EventFilter {
  return {
    owner,
    ...(types === undefined ? {} : { types }),
    ...(streamOf === undefined ? {} : { streams: [streamOfId(streamOf)] }),
  };
}

function matcher(owner: OwnerId, { types, streamOf }: OwnerEventsFilter) {
  const stream = streamOf === undefined ? null : streamOfId(streamOf);
  return ({ metadata, event, stream: of }: RecordedEvent): boolean =>
    metadata.owner === owner && (types?.includes(event.type) ?? true) && (stream === null || stream === of);
}

function liveRecord({ codec }: LogDeps, { event, ...recorded }: RecordedEvent): HistoryRecord {
  const { type, data } = codec.encode(event);
  return historyRecord({ ...recorded, type, data });
}
