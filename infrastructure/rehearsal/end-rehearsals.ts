import type pg from "pg";
import type { EndedBecause } from "../../application/ports/rehearsals.ts";
import type { CallId, RehearsalId } from "../../domain/shared/ids.ts";
import type { SubjectKeyRing } from "../account/subject-keys/postgres-subject-keys.ts";
import { inTransaction } from "../postgres/transaction.ts";

/** Ends those that go on, with all their runs. The caller has locked their rows. */
export async function cancelRehearsals(
  client: pg.ClientBase,
  ids: readonly RehearsalId[],
  because: EndedBecause,
): Promise<void> {
  await client.query(CANCEL_RUNS, [ids]);
  await client.query(CANCEL, [ids, because]);
}

const CANCEL_RUNS = `update work.rehearsal_runs set status = 'cancelled', ended_at = clock_timestamp()
  where rehearsal_id = any($1::text[]) and ended_at is null`;

const CANCEL = `update work.rehearsals set status = 'cancelled', ended_because = $2, ended_at = clock_timestamp()
  where id = any($1::text[]) and status = 'running'`;

/**
 * Empties every rehearsal that names one of these calls, and erases its key: what remains are numbers. Kept
 * answers to the requests that made them go as well.
 */
export async function emptyRehearsals(
  pool: pg.Pool,
  keys: Pick<SubjectKeyRing, "forget">,
  callIds: readonly CallId[],
): Promise<void> {
  const ids = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: RehearsalId }>(NAMING, [callIds]);
    const found = rows.map(({ id }) => id);
    if (found.length === 0) return found;
    await cancelRehearsals(client, found, "erased");
    for (const statement of EMPTY) await client.query(statement, [found]);
    return found;
  });
  if (ids.length > 0) keys.forget(ids);
}

const NAMING = `select id from work.rehearsals where call_ids && $1::text[] and not erased order by id for update`;

/** A repeated request with such an Idempotency-Key is a conflict from now on. */
export const EMPTY_ANSWERS = `update work.idempotency_keys set body_hash = 'erased', body = null
  where (owner_id, ids ->> 'rehearsalId') in (
    select owner_id, id from work.rehearsals where id = any($1::text[]))`;

const EMPTY = [
  `update work.rehearsals set erased = true, sealed_given = null, sealed_names = null, sealed_candidate = null,
     sealed_baseline = null where id = any($1::text[])`,
  "update work.rehearsal_cases set sealed_case = null where rehearsal_id = any($1::text[])",
  `update work.rehearsal_runs set sealed_result = null, sealed_messages = null
   where rehearsal_id = any($1::text[])`,
  `update config.subject_keys set sealed_key = null, erased_at = coalesce(erased_at, clock_timestamp())
   where subject = any($1::text[])`,
  EMPTY_ANSWERS,
];
