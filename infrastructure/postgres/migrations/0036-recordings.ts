import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Recordings of carriers: whether we have a copy, whether the carrier still has one, and when the next step
 * is due (null: nothing is left to do).
 */
export const recordings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table work.recordings (
      call_id text collate "C" primary key,
      owner_id text collate "C" not null,
      carrier json,
      recording_ref text not null,
      copy text not null default 'waiting' check (copy in ('waiting', 'copied', 'absent', 'erased')),
      at_carrier boolean not null default true,
      tries integer not null default 0,
      problem text,
      due_at timestamptz default now(),
      created_at timestamptz not null default now()
    )`.execute(db);
    await sql`create index recordings_due on work.recordings (due_at) where due_at is not null`.execute(db);
  },
};
