import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * `log.append` returns when it stored its events, one time for all of them: the writer then knows
 * everything that a reader would, and the subscriptions of the same process need not read it. `base` and
 * `actual` as before (0001).
 */
export const createdOfAnAppend: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "drop function log.append",
  `create function log.append(
    streams text[], expected integer[],
    append_of integer[], revisions integer[], ids uuid[], types text[], owners text[], data text[], metadata text[],
    out actual integer[], out base bigint, out created timestamptz
  ) language plpgsql as $$
  #variable_conflict use_column
  begin
    perform pg_advisory_xact_lock(5928221532);
    append.created := clock_timestamp();

    select array_agg(coalesce(last.revision, -1) order by given.ord) into append.actual
    from unnest(streams) with ordinality as given (stream, ord)
    left join lateral (
      select e.revision from log.events e where e.stream = given.stream order by e.revision desc limit 1
    ) last on true;

    select coalesce(max(position), 0) into append.base from log.events;

    if append.actual = append.expected then
      insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
      select append.base + ord, streams[append_of], revision, id, type, owner, data::json, metadata::json,
        append.created
      from unnest(append_of, revisions, ids, types, owners, data, metadata) with ordinality
        as given (append_of, revision, id, type, owner, data, metadata, ord);
    else
      insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
      select append.base + row_number() over (order by ord), streams[append_of], revision, id, type, owner,
        data::json, metadata::json, append.created
      from unnest(append_of, revisions, ids, types, owners, data, metadata) with ordinality
        as given (append_of, revision, id, type, owner, data, metadata, ord)
      where append.actual[append_of] = append.expected[append_of];
    end if;
  end $$`,
];
