import { type RawBuilder, sql } from "kysely";
import { groupRunner } from "../../application/group-runner.ts";
import type { Position } from "../../application/ports/event-store.ts";
import type { CampaignStatisticsRecord } from "../../contract/campaign.ts";
import type { ContactOutcome } from "../../contract/outcome.ts";
import type { CallId, CampaignId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { inPlaces } from "../engine/grouped-reads.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import type { ReadDatabase } from "../engine/projection.ts";
import { positionOf } from "../engine/read-snapshot.ts";
import { callsProjection } from "./calls.ts";

/** What the latest analysis of each of these calls says, or the latest by `at`; of any owner. */
export async function outcomesOfCalls(
  db: ReadDatabase,
  ids: readonly CallId[],
  at: Instant | null = null,
): Promise<ReadonlyMap<CallId, NonNullable<ContactOutcome>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<NonNullable<ContactOutcome> & { readonly id: CallId }>`
    select distinct on (call_id) call_id as id, success, fields from read.outcomes_v3
    where call_id = any(${ids}::text[]) and (${at}::text is null or analysed_at <= ${at})
    order by call_id, revision desc`.execute(db);
  return new Map(rows.map(({ id, ...outcome }) => [id, outcome]));
}

/** Names of fields that analyses of the campaign's calls have had, in any version, sorted. */
export async function outcomeNamesOf(db: ReadDatabase, id: CampaignId): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select distinct name collate "C" as name from read.outcomes_v3, json_object_keys(fields) as name
    where campaign_id = ${id} order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

export type CampaignOutcomes = NonNullable<CampaignStatisticsRecord["outcomes"]>;

/** With the checkpoint of their rows, from the same statement. */
type OutcomesAt = { readonly position: Position; readonly outcomes: CampaignOutcomes };
type Asked = { readonly id: CampaignId; readonly at: Instant };

/**
 * Sums the latest analysis of each contact by `at`. Those who ask at the same time share a
 * statement. null: the rows are being built.
 */
export function campaignOutcomes(db: ReadDatabase): (asked: Asked) => Promise<OutcomesAt | null> {
  return groupRunner({ run: (asked) => sumsOf(db, asked), largest: 16, failsForAll: () => true });
}

/**
 * One row of `CampaignOutcomes`: sums of the latest analysis of each contact of this campaign, or the
 * latest by `at` (null: now). Alike ones are counted together before their fields are taken apart: of
 * 10,000 contacts few differ.
 */
export function outcomeSums(id: RawBuilder<string>, at: RawBuilder<string | null>) {
  return sql<CampaignOutcomes>`
    with latest as (
      select distinct on (contact_id) success, counted from read.outcomes_v3
      where campaign_id = ${id} and contact_id is not null and (${at} is null or analysed_at <= ${at})
      order by contact_id, analysed_at desc, call_id desc, revision desc
    ), alike as materialized (
      select success, counted, count(*) as number from latest group by success, counted
    ), counts as (
      select name, value, sum(number)::integer as number from alike, jsonb_each_text(counted) as each (name, value)
      group by name, value
    )
    select coalesce(sum(number), 0)::integer as analysed,
      coalesce(sum(number) filter (where success), 0)::integer as succeeded,
      coalesce(sum(number) filter (where not success), 0)::integer as unsuccessful,
      coalesce((select json_object_agg(name, by_value) from (
        select name, json_object_agg(value, number) as by_value from counts group by name) as fields), '{}') as "byField"
    from alike`;
}

async function sumsOf(db: ReadDatabase, asked: readonly Asked[]): Promise<(OutcomesAt | null)[]> {
  const sums = sql<CampaignOutcomes & { readonly place: number; readonly position: Position }>`
    select w.place::integer, ${positionOf(callsProjection)} as position, sums.*
    from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ at }) => at)}::text[])
      with ordinality as w (id, at, place)
    cross join lateral (${outcomeSums(sql`w.id`, sql`w.at`)}) as sums`;
  try {
    return inPlaces(asked, (await sums.execute(db)).rows).map((row) => {
      if (row === null) return null;
      const { place: _place, position, ...outcomes } = row;
      return { position, outcomes };
    });
  } catch (error) {
    if (isOfMissingTables(error)) return asked.map(() => null);
    throw error;
  }
}
