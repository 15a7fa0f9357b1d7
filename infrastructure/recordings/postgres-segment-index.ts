import type pg from "pg";
import type { RecordStanding, SegmentIndex } from "../../application/ports/recording-segments.ts";
import type { RecordingCopy, RecordingPlace } from "../../application/ports/recordings.ts";
import type { CallId } from "../../domain/shared/ids.ts";

export type PlaceRow = {
  readonly segment: string | null;
  readonly segment_at: number | null;
  readonly segment_length: number | null;
};

/** null: a file of its own, or none. */
export function placeOf({
  segment,
  segment_at: at,
  segment_length: length,
}: PlaceRow): RecordingPlace | null {
  return segment === null || at === null || length === null ? null : { segment, at, length };
}

/** The places in work.recordings, and work.recording_segments. */
export function postgresSegmentIndex(pool: pg.Pool): SegmentIndex {
  return {
    async indexed() {
      const { rows } = await pool.query<{ name: string; indexed_to: number }>(
        "select name, indexed_to from work.recording_segments",
      );
      return new Map(rows.map(({ name, indexed_to: end }) => [name, end]));
    },
    async setIndexed(segment, end) {
      await pool.query(SET_INDEXED, [segment, end]);
    },
    async found(records, present) {
      const told = records.map(({ callId, place }) => ({ callId, ...place }));
      const { rows } = await pool.query<{ call_id: CallId; standing: RecordStanding }>(FOUND, [
        JSON.stringify(told),
        present,
      ]);
      return new Map(rows.map(({ call_id: callId, standing }) => [callId, standing]));
    },
    async erasedBytes() {
      const { rows } = await pool.query<{ segment: string; bytes: number }>(ERASED_BYTES);
      return new Map(rows.map(({ segment, bytes }) => [segment, bytes]));
    },
    async rowsOf(callIds) {
      const { rows } = await pool.query<PlaceRow & { call_id: CallId; copy: RecordingCopy }>(ROWS_OF, [
        callIds,
      ]);
      return new Map(rows.map((row) => [row.call_id, { copy: row.copy, place: placeOf(row) }]));
    },
    async moved(moves) {
      const told = moves.map(({ callId, from, to }) => ({
        ...{ callId, ...to, wasIn: from.segment, wasAt: from.at },
      }));
      const { rows } = await pool.query<{ call_id: CallId }>(MOVED, [JSON.stringify(told)]);
      return new Set(rows.map(({ call_id: callId }) => callId));
    },
    async dropped(segment) {
      await pool.query(DROPPED, [segment]);
    },
  };
}

const SET_INDEXED = `
insert into work.recording_segments as s (name, indexed_to) values ($1, $2)
on conflict (name) do update set indexed_to = greatest(s.indexed_to, excluded.indexed_to)`;

/**
 * A row that was erased learns its place too, so that its bytes are overwritten and counted. One that is
 * absent or refused has no copy by its row, but this may be the only one that there is: it is kept.
 */
const FOUND = `
with told as (
  select * from json_to_recordset($1) as new ("callId" text, segment text, at integer, length integer)
), placed as (
  update work.recordings r set segment = told.segment, segment_at = told.at, segment_length = told.length
  from told where r.call_id = told."callId" and (
    (r.segment is null and r.copy in ('waiting', 'erased'))
    or (r.segment <> all($2::text[]) and r.copy in ('waiting', 'copied', 'erased')))
  returning r.call_id
)
select told."callId" as call_id, case
    when r.copy is null or r.copy in ('expected', 'absent', 'refused') then 'unknown'
    when r.copy = 'erased' then 'erased'
    when placed.call_id is not null or (r.segment, r.segment_at) = (told.segment, told.at) then 'stands'
    else 'elsewhere'
  end as standing
from told left join work.recordings r on r.call_id = told."callId" left join placed on placed.call_id = r.call_id`;

const ERASED_BYTES = `
select segment, sum(segment_length)::double precision as bytes from work.recordings
where copy = 'erased' and segment is not null group by segment`;

const ROWS_OF = `
select call_id, copy, segment, segment_at, segment_length from work.recordings where call_id = any($1::text[])`;

/** A place that is another by now was changed by another move. */
const MOVED = `
with told as (
  select * from json_to_recordset($1)
    as new ("callId" text, segment text, at integer, length integer, "wasIn" text, "wasAt" integer)
), indexed as (
  insert into work.recording_segments as s (name, indexed_to)
  select segment, max(at + length) from told group by segment
  on conflict (name) do update set indexed_to = greatest(s.indexed_to, excluded.indexed_to)
)
update work.recordings r set segment = told.segment, segment_at = told.at, segment_length = told.length
from told where r.call_id = told."callId" and r.segment = told."wasIn" and r.segment_at = told."wasAt"
  and r.copy <> 'erased'
returning r.call_id`;

const DROPPED = `
with gone as (delete from work.recording_segments where name = $1)
update work.recordings set segment = null, segment_at = null, segment_length = null
where copy = 'erased' and segment = $1`;
