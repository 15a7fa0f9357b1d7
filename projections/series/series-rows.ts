import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";

/** A call that has not ended: its owner, and the minute since 1970 in which it was created. */
export type OpenCall = { readonly id: CallId; readonly owner: OwnerId; readonly minute: number };

type Ended = { readonly status: string; readonly reason: string };

export const MINUTE_MILLIS = 60_000;
/**
 * Buckets have two sizes: minutes and quarters of an hour; hours and days of every current time zone
 * are made of quarters.
 */
export const QUARTER = 15;
export const LEVELS = [1, QUARTER] as const;

/** Adds calls that begin; calls that end move to the counts. */
export async function writeSeries(
  trx: ReadTransaction,
  tableOf: TableOf,
  events: readonly RecordedEvent[],
): Promise<void> {
  const begun = new Map<CallId, OpenCall>();
  const ended = new Map<CallId, Ended>();
  for (const { event } of events) {
    if (event.type === "CallRequested") {
      const { callId: id, owner, at } = event.data;
      begun.set(id, { id, owner, minute: Math.floor(millisOf(at) / MINUTE_MILLIS) });
    } else if (isCallEnd(event)) {
      const status = event.type === "CallCompleted" ? "completed" : "failed";
      if (!ended.has(event.data.callId))
        ended.set(event.data.callId, { status, reason: event.data.endReason });
    }
  }
  await insertOpen(
    trx,
    tableOf,
    [...begun.values()].filter(({ id }) => !ended.has(id)),
  );
  const before = await takeOpen(
    trx,
    tableOf,
    [...ended.keys()].filter((id) => !begun.has(id)),
  );
  const known = [...before, ...begun.values()].flatMap((call) => {
    const end = ended.get(call.id);
    return end === undefined ? [] : [{ ...call, ...end }];
  });
  await addCounts(trx, tableOf, known);
}

async function insertOpen(trx: ReadTransaction, tableOf: TableOf, calls: readonly OpenCall[]): Promise<void> {
  if (calls.length === 0) return;
  await sql`insert into ${tableOf("series_open")} (id, owner, minute)
    select id, owner, minute from json_to_recordset(${JSON.stringify(calls)}) as new (id text, owner text, minute integer)
    on conflict do nothing`.execute(trx);
}

async function takeOpen(
  trx: ReadTransaction,
  tableOf: TableOf,
  ids: readonly CallId[],
): Promise<readonly OpenCall[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<OpenCall>`delete from ${tableOf("series_open")} where id = any(${ids}::text[])
    returning id, owner, minute`.execute(trx);
  return rows;
}

async function addCounts(
  trx: ReadTransaction,
  tableOf: TableOf,
  calls: readonly (OpenCall & Ended)[],
): Promise<void> {
  const sums = new Map<string, { readonly row: object; count: number }>();
  for (const { owner, minute, status, reason } of calls)
    for (const level of LEVELS) {
      const row = { owner, level, bucket: minute - (minute % level), status, reason };
      const key = JSON.stringify(row);
      const sum = sums.get(key) ?? { row, count: 0 };
      sum.count += 1;
      sums.set(key, sum);
    }
  if (sums.size === 0) return;
  const rows = [...sums.values()].map(({ row, count }) => ({ ...row, count }));
  await sql`insert into ${tableOf("series_counts")} as old (owner, level, bucket, status, reason, count)
    select owner, level, bucket, status, reason, count from json_to_recordset(${JSON.stringify(rows)}) as new
      (owner text, level smallint, bucket integer, status text, reason text, count integer)
    on conflict (owner, level, bucket, status, reason) do update set count = old.count + excluded.count`.execute(
    trx,
  );
}
