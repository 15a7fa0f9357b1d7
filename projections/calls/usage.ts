import { sql } from "kysely";
import type { UsageDay } from "../../contract/account.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import type { ReadDatabase, ReadTransaction, TableOf } from "../engine/projection.ts";
import type { RowChange } from "../engine/row-writer.ts";
import type { CallRow } from "./call-row.ts";

/**
 * Totals of an owner's calls that were created on one UTC day. In whole milliseconds, so that the sum does
 * not depend on the order.
 */
export type UsageTable = {
  readonly owner: OwnerId;
  /** `2026-09-01` */
  readonly day: string;
  readonly calls: string;
  readonly talk_ms: string;
  readonly input_tokens: string;
  readonly output_tokens: string;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.usage_v3": UsageTable;
  }
}

type Amounts = {
  readonly calls: number;
  readonly talk: number;
  readonly input: number;
  readonly output: number;
};

export async function createUsageTable(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("usage")} (
    owner text not null,
    day text collate "C" not null,
    calls bigint not null,
    talk_ms bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (owner, day)
  )`.execute(trx);
}

/**
 * Adds the difference of the changed rows. A row that already has its revision is no change, so
 * nothing counts twice.
 */
export async function addUsage(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<CallRow>[],
): Promise<void> {
  const days = new Map<string, Sum>();
  for (const { before, after } of changes) if (after !== undefined) addTo(days, before, after);
  const added = [...days.values()];
  if (added.length === 0) return;
  await sql`insert into ${tableOf("usage")} as old (owner, day, calls, talk_ms, input_tokens, output_tokens)
    select owner, day, calls, talk, input, output from json_to_recordset(${JSON.stringify(added)}) as new
      (owner text, day text, calls bigint, talk bigint, input bigint, output bigint)
    on conflict (owner, day) do update set calls = old.calls + excluded.calls, talk_ms = old.talk_ms + excluded.talk_ms,
      input_tokens = old.input_tokens + excluded.input_tokens, output_tokens = old.output_tokens + excluded.output_tokens`.execute(
    trx,
  );
}

type Sum = { readonly owner: OwnerId; readonly day: string } & { -readonly [Name in keyof Amounts]: number };

function addTo(days: Map<string, Sum>, before: CallRow | undefined, after: CallRow): void {
  const [old, now] = [amountsOf(before), amountsOf(after)];
  const { calls, talk, input, output } = now;
  if (calls === old.calls && talk === old.talk && input === old.input && output === old.output) return;
  const day = after.progress.statusHistory[0]?.at.slice(0, 10) ?? "";
  const key = `${after.owner} ${day}`;
  const sum = days.get(key) ?? { owner: after.owner, day, ...NOTHING };
  sum.calls += calls - old.calls;
  sum.talk += talk - old.talk;
  sum.input += input - old.input;
  sum.output += output - old.output;
  days.set(key, sum);
}

const NOTHING: Amounts = { calls: 0, talk: 0, input: 0, output: 0 };

function amountsOf(row: CallRow | undefined): Amounts {
  if (row === undefined) return NOTHING;
  const { durationSeconds, conversation } = row.progress;
  return {
    calls: 1,
    talk: Math.round((durationSeconds ?? 0) * 1_000),
    input: conversation?.inputTokens ?? 0,
    output: conversation?.outputTokens ?? 0,
  };
}

/**
 * Days with a call, an analysis or a rehearsal, oldest first; `from` and `until` are days, `until` included.
 * Tokens of conversations count on the day of their call, all others on the day of their use.
 */
export async function usageOf(
  db: ReadDatabase,
  owner: OwnerId,
  from: string,
  until: string,
): Promise<readonly UsageDay[]> {
  const ofOwner = sql`owner_id = ${owner} and day between ${from} and ${until}`;
  const { rows } = await sql<UsageDay>`
    select day, sum(calls)::float8 as calls, sum(talk_ms)::float8 / 1000 as "talkSeconds",
      sum(input)::float8 as "inputTokens", sum(output)::float8 as "outputTokens",
      sum(rehearsed)::float8 as "rehearsalTokens"
    from (
      select day, calls, talk_ms, input_tokens, output_tokens, 0
        from read.usage_v3 where owner = ${owner} and day between ${from} and ${until}
      union all
      select day, 0, 0, input_tokens, output_tokens, 0 from work.analysis_tokens where ${ofOwner}
      union all
      select day, 0, 0, 0, 0, input_tokens + output_tokens from work.rehearsal_tokens where ${ofOwner}
    ) as used (day, calls, talk_ms, input, output, rehearsed)
    group by day order by day`.execute(db);
  return rows;
}

/**
 * Tokens that models read and wrote in calls created that day, and in analyses and rehearsals of that day. 0
 * while the rows are being built, so that nobody is kept from calling.
 */
export async function tokensOfDay(db: ReadDatabase, owner: OwnerId, day: string): Promise<number> {
  try {
    const [found] = await usageOf(db, owner, day, day);
    return found === undefined ? 0 : found.inputTokens + found.outputTokens + found.rehearsalTokens;
  } catch (error) {
    if (isOfMissingTables(error)) return 0;
    throw error;
  }
}
