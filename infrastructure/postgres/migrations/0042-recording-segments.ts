import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Where a recording stands in a segment, which is a file of many (null: it is a file of its own), and up to
 * where each segment is known to this index. The rows of erased recordings are the space that can be given
 * back.
 */
export const recordingSegments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table work.recordings
      add column segment text collate "C",
      add column segment_at integer,
      add column segment_length integer,
      add constraint recordings_place_check
        check (num_nulls(segment, segment_at, segment_length) in (0, 3))`.execute(db);
    await sql`create index recordings_erased on work.recordings (segment)
      where copy = 'erased' and segment is not null`.execute(db);
    await sql`create table work.recording_segments (
      name text collate "C" primary key,
      indexed_to integer not null
    )`.execute(db);
  },
};
