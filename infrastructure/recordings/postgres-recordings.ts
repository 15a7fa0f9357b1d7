import type pg from "pg";
import type { RecordingCopy, Recordings, RecordingTask } from "../../application/ports/recordings.ts";
import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type PlaceRow, placeOf } from "./postgres-segment-index.ts";

type Row = PlaceRow & {
  readonly call_id: CallId;
  readonly owner_id: OwnerId;
  readonly carrier: CarrierIdentity | null;
  readonly recording_ref: string | null;
  readonly copy: RecordingCopy;
  readonly tries: number;
};

/** Rows of work.recordings; one process at a time does their steps. */
export function postgresRecordings(pool: pg.Pool): Recordings {
  return {
    async expect(expected) {
      if (expected.length === 0) return;
      const rows = expected.map(({ callId, owner, carrier, lookAt }) => ({ callId, owner, carrier, lookAt }));
      await pool.query(EXPECT, [JSON.stringify(rows)]);
    },
    async add(found) {
      if (found.length === 0) return;
      await pool.query(ADD, [
        JSON.stringify(
          found.map(({ callId, owner, carrier, recordingRef }) => ({ callId, owner, carrier, recordingRef })),
        ),
      ]);
    },
    async due(limit) {
      const { rows } = await pool.query<Row>({ name: "recordings-due", text: DUE, values: [limit] });
      return rows.map(taskOf);
    },
    async stepped(steps) {
      if (steps.length === 0) return new Set();
      const told = steps.map(({ callId, copy, place, atCarrier, again }) => ({
        ...{ callId, copy, ...place, atCarrier },
        again: again?.at ?? null,
        problem: again?.problem ?? null,
      }));
      const { rows } = await pool.query<Pick<Row, "call_id">>(STEPPED, [JSON.stringify(told)]);
      return new Set(rows.map(({ call_id: callId }) => callId));
    },
    async erase(callIds) {
      const { rows } = await pool.query<PlaceRow & Pick<Row, "call_id">>(ERASE, [callIds]);
      const places = new Map(rows.map((row) => [row.call_id, placeOf(row)]));
      return callIds.map((callId) => ({ callId, place: places.get(callId) ?? null }));
    },
    async copyOf(callId) {
      const { rows } = await pool.query<PlaceRow & Pick<Row, "copy">>(
        "select copy, segment, segment_at, segment_length from work.recordings where call_id = $1",
        [callId],
      );
      const [row] = rows;
      return row === undefined ? null : { copy: row.copy, place: placeOf(row) };
    },
    async lost(callId) {
      const { rowCount } = await pool.query(LOST, [callId]);
      return rowCount === 1;
    },
    async backlog() {
      const { rows } = await pool.query<{
        to_copy: number;
        to_delete: number;
        failing: number;
        problem: string | null;
      }>(BACKLOG);
      const [row] = rows;
      const { to_copy: toCopy = 0, to_delete: toDelete = 0, failing = 0, problem = null } = row ?? {};
      return { toCopy, toDelete, failing, problem };
    },
  };
}

function taskOf(row: Row): RecordingTask {
  const { call_id: callId, owner_id: owner, carrier, recording_ref: recordingRef, copy, tries } = row;
  return { callId, owner, carrier, recordingRef, copy, place: placeOf(row), tries };
}

const EXPECT = `
insert into work.recordings (call_id, owner_id, carrier, copy, due_at)
select "callId", owner, nullif(carrier::text, 'null')::json, 'expected', "lookAt"
from json_to_recordset($1) as new ("callId" text, owner text, carrier json, "lookAt" timestamptz)
on conflict (call_id) do nothing`;

/** One that was expected is copied now, or, if it was erased meanwhile, deleted. */
const ADD = `
insert into work.recordings as r (call_id, owner_id, carrier, recording_ref)
select "callId", owner, nullif(carrier::text, 'null')::json, "recordingRef"
from json_to_recordset($1) as new ("callId" text, owner text, carrier json, "recordingRef" text)
on conflict (call_id) do update set recording_ref = excluded.recording_ref, at_carrier = true,
  copy = case when r.copy = 'erased' then r.copy else 'waiting' end, tries = 0, problem = null, due_at = now()
where r.recording_ref is null`;

const DUE = `
select call_id, owner_id, carrier, recording_ref, copy, tries, segment, segment_at, segment_length
from work.recordings where due_at <= now() order by due_at limit $1`;

/**
 * After an erasure in the meantime only the place and the carrier's copy are still updated; what was expected
 * and is known by now keeps its own step.
 */
const STEPPED = `
with told as (
  select * from json_to_recordset($1)
    as new ("callId" text, copy text, segment text, at integer, length integer, "atCarrier" boolean,
      again timestamptz, problem text)
), indexed as (
  insert into work.recording_segments as s (name, indexed_to)
  select segment, max(at + length) from told where segment is not null group by segment
  on conflict (name) do update set indexed_to = greatest(s.indexed_to, excluded.indexed_to)
), changed as (
  update work.recordings r set
    copy = case when r.copy = 'erased' then r.copy else told.copy end,
    segment = coalesce(told.segment, r.segment), segment_at = coalesce(told.at, r.segment_at),
    segment_length = coalesce(told.length, r.segment_length),
    at_carrier = told."atCarrier",
    tries = case when told.problem is null then 0 else r.tries + 1 end,
    problem = told.problem,
    due_at = case when told.again is not null then told.again
      when told."atCarrier" and (told.copy <> 'refused' or r.copy = 'erased') then now() end
  from told where r.call_id = told."callId" and (told.copy <> 'expected' or r.copy = 'expected')
  returning r.call_id, r.copy, told.copy as told_copy
)
select call_id from changed where copy = 'erased' and told_copy <> 'erased'`;

/** The places are those after an update that this one has waited for. */
const ERASE = `
with erased as (
  update work.recordings set copy = 'erased', tries = 0, problem = null, due_at = case when at_carrier then now() end
  where call_id = any($1::text[]) and copy <> 'erased'
  returning call_id, segment, segment_at, segment_length
)
select * from erased
union all
select call_id, segment, segment_at, segment_length from work.recordings
where call_id = any($1::text[]) and copy = 'erased'`;

const LOST = `
update work.recordings set copy = 'waiting', segment = null, segment_at = null, segment_length = null, tries = 0, problem = null, due_at = now()
where call_id = $1 and copy = 'copied' and at_carrier`;

const BACKLOG = `
select count(*) filter (where copy = 'waiting')::integer as to_copy,
  count(*) filter (where copy not in ('expected', 'waiting'))::integer as to_delete,
  count(*) filter (where problem is not null)::integer as failing,
  (array_agg(problem order by created_at) filter (where problem is not null))[1] as problem
from work.recordings where due_at is not null`;
