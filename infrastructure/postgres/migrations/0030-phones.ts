import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Open phones, and the calls of the phone line: the first to answer takes the call (one conditional update).
 * Times are the database's.
 */
export const phones: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table work.phones (
      owner text not null,
      phone_id text not null,
      process text not null,
      until timestamptz not null,
      primary key (owner, phone_id)
    )`.execute(db);
    await sql`create table work.phone_calls (
      call_id text primary key,
      owner text not null,
      from_number text not null,
      to_number text not null,
      assistant_name text not null,
      placed_at timestamptz not null default clock_timestamp(),
      ring_until timestamptz not null,
      phone_id text,
      answered_at timestamptz,
      away_since timestamptz,
      ended_at timestamptz,
      end_reason text,
      ended_by text
    )`.execute(db);
    await sql`create index phone_calls_live on work.phone_calls (owner) where ended_at is null`.execute(db);
  },
};
