import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";
import { type BlockEntry, textBlock } from "./text-block.ts";

/** Calls of an owner that become one row (a block); newer calls have a row each. */
export const CALLS_OF_A_BLOCK = 1_000;

export type CallWriter = {
  readonly write: (trx: ReadTransaction, events: readonly RecordedEvent[]) => Promise<void>;
  readonly forget: () => void;
};

/** The end of a block depends only on the log, not on the batches in which it is read. */
export function callWriter(tableOf: TableOf): CallWriter {
  /** Number of single rows of each owner. */
  const loose = new Map<OwnerId, number>();
  return {
    async write(trx, events) {
      for (const [owner, calls] of callsByOwner(events)) {
        let count = loose.get(owner) ?? (await countLoose(trx, tableOf, owner));
        let rest: readonly BlockEntry[] = calls;
        while (count + rest.length >= CALLS_OF_A_BLOCK) {
          const missing = CALLS_OF_A_BLOCK - count;
          const before = count === 0 ? [] : await takeLoose(trx, tableOf, owner);
          await insertBlock(trx, tableOf, owner, [...before, ...rest.slice(0, missing)]);
          rest = rest.slice(missing);
          count = 0;
        }
        await insertLoose(trx, tableOf, owner, rest);
        loose.set(owner, count + rest.length);
      }
    },
    forget: () => loose.clear(),
  };
}

function callsByOwner(events: readonly RecordedEvent[]): ReadonlyMap<OwnerId, readonly BlockEntry[]> {
  const calls = new Map<OwnerId, BlockEntry[]>();
  for (const { event } of events) {
    if (event.type !== "CallRequested") continue;
    const { callId, owner, to, contactName } = event.data;
    const ofOwner = calls.get(owner) ?? [];
    calls.set(owner, ofOwner);
    ofOwner.push({ id: callId, number: to, name: contactName });
  }
  return calls;
}

async function countLoose(trx: ReadTransaction, tableOf: TableOf, owner: OwnerId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${tableOf("search_calls")} where owner = ${owner}`.execute(trx);
  return rows[0]?.count ?? 0;
}

async function takeLoose(trx: ReadTransaction, tableOf: TableOf, owner: OwnerId): Promise<BlockEntry[]> {
  const { rows } = await sql<BlockEntry>`
    delete from ${tableOf("search_calls")} where owner = ${owner} returning id, number, name`.execute(trx);
  return rows;
}

async function insertLoose(
  trx: ReadTransaction,
  tableOf: TableOf,
  owner: OwnerId,
  calls: readonly BlockEntry[],
): Promise<void> {
  if (calls.length === 0) return;
  await sql`insert into ${tableOf("search_calls")} (id, owner, number, name)
    select id, ${owner}, number, name from json_to_recordset(${JSON.stringify(calls)}) as new (id text, number text, name text)
    on conflict do nothing`.execute(trx);
}

async function insertBlock(
  trx: ReadTransaction,
  tableOf: TableOf,
  owner: OwnerId,
  calls: readonly BlockEntry[],
): Promise<void> {
  const { first_id, last_id, digits, words, ids, entries } = textBlock(calls);
  await sql`insert into ${tableOf("search_call_blocks")} (owner, last_id, first_id, digits, words, ids, entries)
    values (${owner}, ${last_id}, ${first_id}, ${digits}, ${words}, ${ids}, ${entries}::json)
    on conflict do nothing`.execute(trx);
}
