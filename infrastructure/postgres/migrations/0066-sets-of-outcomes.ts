import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Where the third read model of calls stands already, it gets the sets of values that lists look for; where
 * it does not, the model makes them.
 */
export const setsOfOutcomes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(SETS).execute(db);
  },
};

const SETS = `do $$ begin
  if to_regclass('read.outcome_terms_v3') is null then return; end if;
  create table read.outcome_sets_v3 (
    call_id text collate "C" primary key,
    terms text[] collate "C" not null
  );
  insert into read.outcome_sets_v3 (call_id, terms)
    select c.id, array_agg(t.owner || ' ' || t.term) || array(
      select c.owner || ' ' || term from unnest(array['campaign=' || c.campaign_id, 'ended=' || c.ended_as]) as term
      where term is not null)
    from read.outcome_terms_v3 t join read.calls_v3 c on c.id = t.call_id
    group by c.id;
  create index on read.outcome_sets_v3 using gin (terms);
end $$`;
