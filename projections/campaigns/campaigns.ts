import { sql } from "kysely";
import type { Clock } from "../../application/ports/clock.ts";
import type { EventStore, Position } from "../../application/ports/event-store.ts";
import type { PageRequest } from "../../application/ports/queries/pages.ts";
import type { CampaignWithStatistics, Queries } from "../../application/ports/queries.ts";
import type { CampaignStatus } from "../../domain/campaign/events.ts";
import { CAMPAIGN_TYPES } from "../../domain/event-kinds.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { callsProjection } from "../calls/calls.ts";
import { type CampaignOutcomes, outcomeSums } from "../calls/outcome-queries.ts";
import { groupedReads, inPlaces, type Wanted } from "../engine/grouped-reads.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import type { Projection, ReadDatabase, ReadTransaction, TableOf } from "../engine/projection.ts";
import {
  type FoundAt,
  lowestOf,
  positionOf,
  rowsAt,
  served,
  tellingPosition,
} from "../engine/read-snapshot.ts";
import { createRowWriter, type RowChange } from "../engine/row-writer.ts";
import {
  type CampaignDetail,
  type CampaignRow,
  campaignRecord,
  campaignWithStatistics,
  projectCampaign,
} from "./campaign-row.ts";
import { heldNow } from "./holds.ts";

export type CampaignsTable = {
  readonly id: CampaignId;
  readonly owner: OwnerId;
  readonly revision: number;
  readonly status: CampaignStatus;
  readonly detail: CampaignDetail;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.campaigns_v4": CampaignsTable;
  }
}

export const campaignsProjection: Projection = {
  name: "campaigns",
  version: 4,
  types: CAMPAIGN_TYPES,
  tables: ["campaigns"],
  createTables,
  createIndexes,
  openWriter: (tableOf) =>
    createRowWriter<CampaignRow>({
      keyOf: ({ event }) =>
        "campaignId" in event.data && CAMPAIGN_TYPES.has(event.type) ? event.data.campaignId : null,
      project: projectCampaign,
      load: (trx, keys) => loadCampaigns(trx, tableOf, keys),
      save: (trx, changes) => saveCampaigns(trx, tableOf, changes),
      remembered: 2_000,
    }),
};

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const campaigns = tableOf("campaigns");
  await sql`create table ${campaigns} (
    id text collate "C" primary key,
    owner text not null,
    revision integer not null,
    status text not null,
    detail json not null
  ) with (fillfactor = 50)`.execute(trx);
}

async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  const campaigns = tableOf("campaigns");
  await sql`create index on ${campaigns} (owner, id)`.execute(trx);
  await sql`create index on ${campaigns} (owner, status, id)`.execute(trx);
}

async function loadCampaigns(
  trx: ReadTransaction,
  tableOf: TableOf,
  ids: readonly string[],
): Promise<Map<string, CampaignRow>> {
  const { rows } = await sql<CampaignRow>`
    select id, owner, revision, status, detail from ${tableOf("campaigns")} where id = any(${ids}::text[])`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function saveCampaigns(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<CampaignRow>[],
): Promise<void> {
  const deletedIds = changes.filter(({ after }) => after === undefined).map(({ key }) => key);
  if (deletedIds.length > 0)
    await sql`delete from ${tableOf("campaigns")} where id = any(${deletedIds}::text[])`.execute(trx);
  const rows = changes.flatMap(({ after }) => (after === undefined ? [] : [after]));
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("campaigns")} as old (id, owner, revision, status, detail)
    select id, owner, revision, status, detail from json_to_recordset(${JSON.stringify(rows)}) as new
      (id text, owner text, revision integer, status text, detail json)
    on conflict (id) do update
      set revision = excluded.revision, status = excluded.status, detail = excluded.detail
      where old.revision < excluded.revision`.execute(trx);
}

/** What belongs to a campaign and comes from rows of other models, which may be being built. */
type Parts = { readonly outcomes: boolean; readonly held: boolean };

const PARTS: readonly Parts[] = [
  { outcomes: true, held: true },
  { outcomes: true, held: false },
  { outcomes: false, held: true },
  { outcomes: false, held: false },
];

/** The rows of contacts know their campaign, not it them. */
const CONTACTS = { name: "contacts", version: 5 };

type FoundRow = { readonly place: number; readonly positions: readonly Position[] } & (
  | (Omit<CampaignRow, "revision"> & {
      readonly outcomes: CampaignOutcomes | null;
      readonly held: number | null;
    })
  | { readonly id: null }
);

type Found = FoundAt<CampaignWithStatistics> | null;

/** Counting outcomes takes milliseconds for each campaign that has them. */
const LARGEST_GROUP = 16;

/** A campaign that several look at is read once. */
async function findOnce(
  deps: CampaignQueryDeps,
  wanted: readonly Wanted<CampaignId>[],
): Promise<readonly Found[]> {
  const keyOf = ({ owner, id }: Wanted<CampaignId>) => `${owner} ${id}`;
  const different = new Map(wanted.map((each) => [keyOf(each), each]));
  const found = await findCampaigns(deps, [...different.values()]);
  const places = new Map([...different.keys()].map((key, place) => [key, place]));
  return wanted.map((each) => found[places.get(keyOf(each)) ?? -1] ?? null);
}

/** One statement of one moment. What is being built is null. */
async function findCampaigns(
  deps: CampaignQueryDeps,
  wanted: readonly Wanted<CampaignId>[],
): Promise<readonly Found[]> {
  let missing: unknown;
  for (const parts of PARTS) {
    try {
      return await findWithParts(deps, wanted, parts);
    } catch (error) {
      if (!isOfMissingTables(error)) throw error;
      missing = error;
    }
  }
  throw missing;
}

async function findWithParts(
  { db, eventStore, clock }: CampaignQueryDeps,
  wanted: readonly Wanted<CampaignId>[],
  { outcomes, held }: Parts,
): Promise<readonly Found[]> {
  const models = [campaignsProjection, ...(outcomes ? [callsProjection] : []), ...(held ? [CONTACTS] : [])];
  const sums = outcomes
    ? sql`(select row_to_json(sums) from (${outcomeSums(sql`c.id`, sql`null::text`)}) as sums)`
    : sql`null::json`;
  const count = held ? sql`(${heldNow(sql`c.id`, sql`c.owner`, clock.now())})` : sql`null::integer`;
  const { rows } = await sql<FoundRow>`
    select /* prepared */ w.place::integer, array[${sql.join(models.map(positionOf))}] as positions,
      c.id, c.owner, c.status, c.detail, c.outcomes, c.held
    from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ owner }) => owner)}::text[])
      with ordinality as w (id, owner, place)
    left join lateral (
      select id, owner, status, detail, ${sums} as outcomes, ${count} as held
      from read.campaigns_v4 as c where id = w.id and owner = w.owner limit 1) as c on true`.execute(db);
  return inPlaces(wanted, rows).map(
    (row) =>
      row && {
        position: lowestOf(eventStore, row.positions),
        found:
          row.id === null
            ? null
            : withHeld(withCampaignOutcomes(campaignWithStatistics(row), row.outcomes), row.held),
      },
  );
}

export async function isCampaignOf(db: ReadDatabase, owner: OwnerId, id: CampaignId): Promise<boolean> {
  const row = await db
    .selectFrom("read.campaigns_v4")
    .select("id")
    .where("id", "=", id)
    .where("owner", "=", owner)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest first by id. */
function listedCampaigns(
  db: ReadDatabase,
  owner: OwnerId,
  { statuses }: { readonly statuses?: readonly CampaignStatus[] },
  { limit, after }: PageRequest<CampaignId>,
) {
  let query = db
    .selectFrom("read.campaigns_v4")
    .select(["id", "owner", "status", "detail"])
    .where("owner", "=", owner);
  // One text however many there are, so that connections prepare one statement.
  if (statuses !== undefined) query = query.where(sql<boolean>`status = any(${statuses}::text[])`);
  if (after !== null) query = query.where("id", "<", after);
  return query.orderBy("id", "desc").limit(limit + 1);
}

type CampaignQueryDeps = {
  readonly db: ReadDatabase;
  readonly clock: Pick<Clock, "now">;
  readonly eventStore: Pick<EventStore, "comparePositions">;
};

export function withCampaignOutcomes(
  { campaign, statistics }: CampaignWithStatistics,
  outcomes: CampaignOutcomes | null,
): CampaignWithStatistics {
  return { campaign, statistics: { ...statistics, outcomes } };
}

/** `held` null: the rows of contacts are being built. */
export function withHeld(whole: CampaignWithStatistics, held: number | null): CampaignWithStatistics {
  return held === null ? whole : { ...whole, statistics: { ...whole.statistics, held } };
}

export function campaignQueries(deps: CampaignQueryDeps) {
  const { db } = deps;
  const find = (wanted: readonly Wanted<CampaignId>[]) => findOnce(deps, wanted);
  return {
    campaign: served(tellingPosition(groupedReads(find, LARGEST_GROUP))),
    campaigns: served(async (owner, filter, page, heard) => {
      const query = listedCampaigns(db, owner, filter, page);
      const { position, rows } = await rowsAt(db, campaignsProjection, query);
      heard?.(position);
      return pageOf(rows.map(campaignRecord), page.limit, ({ id }) => id);
    }),
  } satisfies Partial<Queries>;
}
