import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallAnalysed, CallStatus, OutcomeValue } from "../../domain/call/events.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";
import type { RowChange } from "../engine/row-writer.ts";
import type { CallRow } from "./call-row.ts";

/** One row an analysis that succeeded; none of an erased call. */
export type OutcomesTable = {
  readonly call_id: CallId;
  /** Of the event in its call's stream. */
  readonly revision: number;
  readonly owner: OwnerId;
  readonly campaign_id: CampaignId | null;
  readonly contact_id: ContactId | null;
  readonly analysed_at: Instant;
  readonly success: boolean | null;
  readonly fields: Readonly<Record<string, OutcomeValue>>;
  /** Those of a few values (boolean, enum), without nulls. */
  readonly counted: Readonly<Record<string, boolean | string>>;
};

/** What the latest analysis of a call says, a row each value: by it calls are found, newest first. */
export type OutcomeTermsTable = { readonly owner: OwnerId; readonly term: string; readonly call_id: CallId };

/**
 * The same values in one row a call, besides its campaign and how it ended, each with the owner before it: by
 * it the calls are found that have several of them, however many have each.
 */
export type OutcomeSetsTable = { readonly call_id: CallId; readonly terms: readonly string[] };

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.outcomes_v3": OutcomesTable;
    readonly "read.outcome_terms_v3": OutcomeTermsTable;
    readonly "read.outcome_sets_v3": OutcomeSetsTable;
  }
}

/** Longer ones are found by their hash: a row of an index has room for 2,700 bytes. */
const LONGEST_PLAIN = 100;

/** A field's value as `outcome.<name>=<value>` asks for it: the JSON text of a scalar, without quotes. */
export function termOf(name: string, value: string): string {
  const isPlain = value.length <= LONGEST_PLAIN && !value.includes("\0") && value.isWellFormed();
  return isPlain
    ? `outcome.${name}=${value}`
    : `outcome.${name}#${createHash("sha256").update(value).digest("hex")}`;
}

export function termOfSuccess(success: boolean): string {
  return `success=${success}`;
}

export function termOfCampaign(campaignId: CampaignId): string {
  return `campaign=${campaignId}`;
}

export function termOfEnd(endedAs: CallStatus): string {
  return `ended=${endedAs}`;
}

/** As it stands in a set, which has no owner of its own. */
export function ownedTerm(owner: OwnerId, term: string): string {
  return `${owner} ${term}`;
}

function termsOf({ fields, success }: CallAnalysed["data"]): readonly string[] {
  const ofFields = Object.entries(fields ?? {}).map(([name, value]) => termOf(name, String(value)));
  return success === null ? ofFields : [termOfSuccess(success), ...ofFields];
}

export async function createOutcomeTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("outcomes")} (
    call_id text collate "C" not null,
    revision integer not null,
    owner text not null,
    campaign_id text collate "C",
    contact_id text collate "C",
    analysed_at text collate "C" not null,
    success boolean,
    fields json not null,
    counted jsonb not null,
    primary key (call_id, revision)
  )`.execute(trx);
  await sql`create table ${tableOf("outcome_terms")} (
    owner text not null,
    term text collate "C" not null,
    call_id text collate "C" not null,
    primary key (owner, term, call_id)
  )`.execute(trx);
  await sql`create table ${tableOf("outcome_sets")} (
    call_id text collate "C" primary key,
    terms text[] collate "C" not null
  )`.execute(trx);
}

export async function indexOutcomes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create index on ${tableOf("outcomes")} (campaign_id, contact_id, analysed_at)
    where campaign_id is not null`.execute(trx);
  await sql`create index on ${tableOf("outcome_terms")} (call_id)`.execute(trx);
  await sql`create index on ${tableOf("outcome_sets")} using gin (terms)`.execute(trx);
}

/** After the rows of their calls, which have campaign and contact. The same events again change nothing. */
export async function writeOutcomes(
  trx: ReadTransaction,
  tableOf: TableOf,
  events: readonly RecordedEvent[],
): Promise<void> {
  const added = events.flatMap(({ event, revision }) =>
    event.type === "CallAnalysed" && event.data.fields !== null
      ? [{ id: event.data.callId, r: revision, t: event.data.at, s: event.data.success, ...partsOf(event) }]
      : [],
  );
  if (added.length === 0) return;
  await sql`insert into ${tableOf("outcomes")}
      (call_id, revision, owner, campaign_id, contact_id, analysed_at, success, fields, counted)
    select c.id, r, c.owner, c.campaign_id, c.request ->> 'contactId', t, s, f, k
    from json_to_recordset(${JSON.stringify(added)}) as new (id text, r integer, t text, s boolean, f json, k jsonb)
      join ${tableOf("calls")} c on c.id = new.id
    where c.progress ->> 'erased' is null
    on conflict do nothing`.execute(trx);
}

function partsOf({ data: { fields, enums = [] } }: CallAnalysed) {
  const few = Object.entries(fields ?? {}).filter(
    ([name, value]) => typeof value === "boolean" || (typeof value === "string" && enums.includes(name)),
  );
  return { f: fields, k: Object.fromEntries(few) };
}

/** Of calls whose latest analysis is another one now. */
export async function writeTerms(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<CallRow>[],
): Promise<void> {
  const told: { readonly id: string; readonly owner: OwnerId; readonly t: readonly string[] }[] = [];
  const again: string[] = [];
  for (const { key: id, before, after } of changes) {
    const analysed = after?.progress.outcome?.analysed ?? null;
    const earlier = before?.progress.outcome?.analysed ?? null;
    if (after === undefined || analysed === null || earlier === analysed) continue;
    told.push({ id, owner: after.owner, t: termsOf(analysed) });
    if (earlier !== null) again.push(id);
  }
  if (told.length === 0) return;
  const terms = tableOf("outcome_terms");
  if (again.length > 0) await sql`delete from ${terms} where call_id = any(${again}::text[])`.execute(trx);
  await sql`with new as (
      select * from json_to_recordset(${JSON.stringify(told)}) as new (id text, owner text, t text[])
    ), kept as (
      insert into ${tableOf("outcome_sets")} as old (call_id, terms)
      select c.id, array(
        select c.owner || ' ' || term
        from unnest(new.t || array['campaign=' || c.campaign_id, 'ended=' || c.ended_as]) as term
        where term is not null)
      from new join ${tableOf("calls")} c on c.id = new.id
      on conflict (call_id) do update set terms = excluded.terms
    )
    insert into ${terms} (owner, term, call_id) select new.owner, term, new.id from new, unnest(new.t) as term
    on conflict do nothing`.execute(trx);
}

export async function eraseOutcomes(
  trx: ReadTransaction,
  tableOf: TableOf,
  callIds: readonly CallId[],
): Promise<void> {
  await sql`delete from ${tableOf("outcomes")} where call_id = any(${callIds}::text[])`.execute(trx);
  await sql`delete from ${tableOf("outcome_terms")} where call_id = any(${callIds}::text[])`.execute(trx);
  await sql`delete from ${tableOf("outcome_sets")} where call_id = any(${callIds}::text[])`.execute(trx);
}
