import { sql } from "kysely";
import type { Queries, SeriesQuestion } from "../../application/ports/queries.ts";
import type { CallSeries } from "../../contract/call-series.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { callsProjection } from "../calls/calls.ts";
import type { Projection, ReadDatabase, ReadTransaction, TableOf } from "../engine/projection.ts";
import { type Snapshot, served } from "../engine/read-snapshot.ts";
import { MINUTE_MILLIS, QUARTER, writeSeries } from "./series-rows.ts";

/**
 * Number of calls by creation time and outcome. They are counted when they end, so that a million calls
 * are some thousand rows.
 */
export const callSeriesProjection: Projection = {
  name: "call-series",
  version: 1,
  restMillis: 100,
  types: new Set(["CallRequested", "CallCompleted", "CallFailed"]),
  tables: ["series_open", "series_counts"],
  createTables,
  createIndexes,
  openWriter: (tableOf) => ({
    async write(trx, events) {
      await writeSeries(trx, tableOf, events);
      return [];
    },
    forget: () => undefined,
  }),
};

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("series_open")} (
    id text collate "C" primary key,
    owner text not null,
    minute integer not null
  )`.execute(trx);
  await sql`create table ${tableOf("series_counts")} (
    owner text not null,
    level smallint not null,
    bucket integer not null,
    status text not null,
    reason text not null,
    count integer not null,
    primary key (owner, level, bucket, status, reason)
  ) with (fillfactor = 70)`.execute(trx);
}

async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create index on ${tableOf("series_open")} (owner, minute)`.execute(trx);
}

type Counted = { readonly place: number; readonly value: string; readonly count: number };

/**
 * Also reads the rows of calls, for the state of those that have not ended. Both models are read in one
 * snapshot and may have different positions: a call is counted once, whichever is ahead.
 */
export async function countCalls(
  db: ReadDatabase,
  owner: OwnerId,
  { edges, by }: SeriesQuestion,
): Promise<CallSeries> {
  const minutes = edges.map((edge) => Math.floor(millisOf(edge) / MINUTE_MILLIS));
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  const level = minutes.every((minute) => minute % QUARTER === 0) ? QUARTER : 1;
  const ended = by === "status" ? sql.ref("status") : sql.ref("reason");
  const live = by === "status" ? sql`coalesce(c.status, 'initiating')` : sql`c.progress ->> 'endReason'`;
  const { rows } = await sql<Counted>`
    select place, value, sum(count)::integer as count from (
      select width_bucket(bucket, ${minutes}::integer[]) - 1 as place, ${ended} as value, sum(count) as count
      from read.series_counts_v1
      where owner = ${owner} and level = ${level}::smallint and bucket >= ${first}::integer and bucket < ${last}::integer
      group by 1, 2
      union all
      select width_bucket(o.minute, ${minutes}::integer[]) - 1, ${live}, count(*)
      from read.series_open_v1 o left join read.calls_v3 c on c.id = o.id
      where o.owner = ${owner} and o.minute >= ${first}::integer and o.minute < ${last}::integer
      group by 1, 2) as counted
    where value is not null group by 1, 2 order by 2, 1`.execute(db);
  return inColumns(rows, edges.length - 1);
}

function inColumns(rows: readonly Counted[], buckets: number): CallSeries {
  const columns = new Map<string, number[]>();
  for (const { place, value, count } of rows) {
    const column = columns.get(value) ?? Array.from({ length: buckets }, () => 0);
    columns.set(value, column);
    column[place] = count;
  }
  return Object.fromEntries(columns);
}

export function seriesQueries(snapshot: Snapshot) {
  return {
    callSeries: served((owner, question, heard) =>
      snapshot([callSeriesProjection, callsProjection], heard, (rows) => countCalls(rows, owner, question)),
    ),
  } satisfies Partial<Queries>;
}
