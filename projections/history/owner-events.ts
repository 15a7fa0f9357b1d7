import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { type EventStore, type Position, START } from "../../application/ports/event-store.ts";
import type { OwnerEventsFilter, OwnerEventsPage } from "../../application/ports/queries/history-records.ts";
import { ALL_TYPES, isCampaignEvent } from "../../domain/event-kinds.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Projection, ReadDatabase, ReadTransaction, TableOf } from "../engine/projection.ts";
import { streamOfId } from "./history-record.ts";

/**
 * Positions of an owner's events, for a log that cannot query by owner. `ordinal` counts them from 1 without
 * a gap, in log order.
 */
export type OwnerEventsTable = {
  readonly owner: string;
  readonly ordinal: number;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** The campaign of an event, also for events of its calls; null: none. */
  readonly campaign: string | null;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.owner_events_v2": OwnerEventsTable;
  }
}

type Compare = EventStore["comparePositions"];
type Last = { readonly ordinal: number; readonly position: Position };

/** Only for EventStoreDB: the log in PostgreSQL has an index by owner. */
export function ownerEventsProjection(comparePositions: Compare): Projection {
  return {
    name: "owner-events",
    version: 2,
    types: ALL_TYPES,
    tables: ["owner_events"],
    createTables,
    createIndexes: async () => undefined,
    openWriter(tableOf) {
      const lasts = new Map<string, Last>();
      return {
        async write(trx, events) {
          const unknown = new Set(
            events.map(({ metadata }) => metadata.owner).filter((owner) => !lasts.has(owner)),
          );
          for (const [owner, last] of await loadLasts(trx, tableOf, [...unknown])) lasts.set(owner, last);
          await insertRows(trx, tableOf, numbered(comparePositions, lasts, events));
          return [];
        },
        forget: () => lasts.clear(),
      };
    },
  };
}

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("owner_events")} (
    owner text not null,
    ordinal integer not null,
    position text not null,
    stream text not null,
    revision integer not null,
    type text not null,
    campaign text,
    primary key (owner, ordinal)
  )`.execute(trx);
}

/** Events up to an owner's last one are in the table already. */
function numbered(
  comparePositions: Compare,
  lasts: Map<string, Last>,
  events: readonly RecordedEvent[],
): OwnerEventsTable[] {
  return events.flatMap((recorded) => {
    const { metadata, position, stream, revision, event } = recorded;
    const { owner } = metadata;
    const last = lasts.get(owner) ?? { ordinal: 0, position: START };
    if (comparePositions(position, last.position) <= 0) return [];
    const ordinal = last.ordinal + 1;
    lasts.set(owner, { ordinal, position });
    return [{ owner, ordinal, position, stream, revision, type: event.type, campaign: campaignOf(recorded) }];
  });
}

async function loadLasts(
  trx: ReadTransaction,
  tableOf: TableOf,
  owners: readonly string[],
): Promise<Map<string, Last>> {
  if (owners.length === 0) return new Map();
  const { rows } = await sql<Last & { owner: string }>`
    select asked.owner, last.ordinal, last.position from unnest(${owners}::text[]) as asked (owner)
    cross join lateral (select ordinal, position from ${tableOf("owner_events")}
      where owner = asked.owner order by ordinal desc limit 1) last`.execute(trx);
  return new Map(rows.map(({ owner, ...last }) => [owner, last]));
}

async function insertRows(
  trx: ReadTransaction,
  tableOf: TableOf,
  rows: readonly OwnerEventsTable[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("owner_events")} (owner, ordinal, position, stream, revision, type, campaign)
    select owner, ordinal, position, stream, revision, type, campaign from json_to_recordset(${JSON.stringify(rows)}) as new
      (owner text, ordinal integer, position text, stream text, revision integer, type text, campaign text)`.execute(
    trx,
  );
}

/** Positions of an owner's events, oldest first or newest first; at most `limit`. */
export async function findOwnerEvents(
  db: ReadDatabase,
  comparePositions: Compare,
  owner: OwnerId,
  { types, streamOf, campaignId }: OwnerEventsFilter,
  { after, before, backward = false, limit }: OwnerEventsPage,
): Promise<readonly OwnerEventsTable[]> {
  const ordinalOf = (position: Position) => lastOrdinalUpTo(db, comparePositions, owner, position);
  let query = db
    .selectFrom("read.owner_events_v2")
    .select(["owner", "ordinal", "position", "stream", "revision", "type", "campaign"])
    .where("owner", "=", owner)
    .where("ordinal", ">", (await ordinalOf(after)).ordinal);
  if (before !== undefined) {
    const { ordinal, position } = await ordinalOf(before);
    query = query.where("ordinal", "<", position === before ? ordinal : ordinal + 1);
  }
  if (types !== undefined) query = query.where("type", "in", types);
  if (streamOf !== undefined) query = query.where("stream", "=", streamOfId(streamOf));
  if (campaignId !== undefined) query = query.where("campaign", "=", campaignId);
  return query
    .orderBy("ordinal", backward ? "desc" : "asc")
    .limit(limit)
    .execute();
}

/** The position before the owner's last `most` events; START: there are no more than these. */
export async function positionBefore(db: ReadDatabase, owner: OwnerId, most: number): Promise<Position> {
  const row = await db
    .selectFrom("read.owner_events_v2")
    .select("position")
    .where("owner", "=", owner)
    .where("ordinal", "=", (await newestOrdinal(db, owner)) - most)
    .executeTakeFirst();
  return row?.position ?? START;
}

async function newestOrdinal(db: ReadDatabase, owner: OwnerId): Promise<number> {
  const of = db.selectFrom("read.owner_events_v2").where("owner", "=", owner);
  const newest = await of.select("ordinal").orderBy("ordinal", "desc").limit(1).executeTakeFirst();
  return newest?.ordinal ?? 0;
}

/**
 * Only the log can compare positions, so it is a binary search, some twenty look-ups for a million events.
 * `ordinal` 0: none is that early.
 */
async function lastOrdinalUpTo(
  db: ReadDatabase,
  comparePositions: Compare,
  owner: OwnerId,
  position: Position,
): Promise<Last> {
  let found: Last = { ordinal: 0, position: START };
  if (position === START) return found;
  const of = db.selectFrom("read.owner_events_v2").where("owner", "=", owner);
  let high = await newestOrdinal(db, owner);
  while (found.ordinal < high) {
    const middle = Math.ceil((found.ordinal + high) / 2);
    const row = await of.select("position").where("ordinal", "=", middle).executeTakeFirst();
    if (row !== undefined && comparePositions(row.position, position) <= 0)
      found = { ordinal: middle, position: row.position };
    else high = middle - 1;
  }
  return found;
}

/** The campaign of an event, also for events of its calls; null: none. */
export function campaignOf({ event, metadata }: Pick<RecordedEvent, "event" | "metadata">): string | null {
  return isCampaignEvent(event) ? event.data.campaignId : (metadata.campaignId ?? null);
}
