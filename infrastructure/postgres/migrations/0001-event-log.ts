import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The event log (docs/log.md §2). `position` is assigned under a transaction-level lock that is taken before
 * anything is read or written and released after the commit. So positions ascend in commit order, without
 * gaps, and a reader at `position > last` misses nothing.
 *
 * Payloads are `json`: kept byte for byte, where `jsonb` would reorder keys and rewrite numbers.
 */
export const eventLog: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "create schema log",
  `create table log.events (
    position bigint primary key,
    stream text collate "C" not null,
    revision integer not null,
    event_id uuid not null,
    type text collate "C" not null,
    owner text collate "C" not null,
    data json not null,
    metadata json not null,
    created timestamptz not null,
    constraint events_stream_revision unique (stream, revision),
    constraint events_stream_event_id unique (stream, event_id)
  )`,
  "create index events_owner_position on log.events (owner, position)",
  // Many appends in one transaction, each with its own expected revision: those that match are written, in
  // the given order, at base + 1, base + 2, … expected, actual: the last revision of a stream, -1 when it has
  // no event; a stream may occur once. append_of: the append (from 1) of an event.
  `create function log.append(
    streams text[], expected integer[],
    append_of integer[], revisions integer[], ids uuid[], types text[], owners text[], data text[], metadata text[],
    out actual integer[], out base bigint
  ) language plpgsql as $$
  #variable_conflict use_column
  begin
    perform pg_advisory_xact_lock(5928221532);

    select array_agg(coalesce(last.revision, -1) order by given.ord) into append.actual
    from unnest(streams) with ordinality as given (stream, ord)
    left join lateral (
      select e.revision from log.events e where e.stream = given.stream order by e.revision desc limit 1
    ) last on true;

    select coalesce(max(position), 0) into append.base from log.events;

    if append.actual = append.expected then
      insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
      select append.base + ord, streams[append_of], revision, id, type, owner, data::json, metadata::json,
        clock_timestamp()
      from unnest(append_of, revisions, ids, types, owners, data, metadata) with ordinality
        as given (append_of, revision, id, type, owner, data, metadata, ord);
    else
      insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
      select append.base + row_number() over (order by ord), streams[append_of], revision, id, type, owner,
        data::json, metadata::json, clock_timestamp()
      from unnest(append_of, revisions, ids, types, owners, data, metadata) with ordinality
        as given (append_of, revision, id, type, owner, data, metadata, ord)
      where append.actual[append_of] = append.expected[append_of];
    end if;
  end $$`,
];
