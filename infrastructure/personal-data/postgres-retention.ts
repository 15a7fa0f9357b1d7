import type pg from "pg";
import type { Retention } from "../../application/ports/retention.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";

/** config.users.content_days; calls by their keys in config.subject_keys. */
export function postgresRetention(pool: pg.Pool): Retention {
  return {
    async contentDays(owner) {
      const { rows } = await pool.query<{ days: number | null }>(
        "select content_days as days from config.users where id = $1",
        [owner],
      );
      return rows[0]?.days ?? null;
    },
    async change(owner, contentDays) {
      await pool.query("update config.users set content_days = $2, updated_at = now() where id = $1", [
        owner,
        contentDays,
      ]);
    },
    async owners() {
      const { rows } = await pool.query<{ owner: OwnerId; contentDays: number }>(
        `select id as owner, content_days as "contentDays" from config.users where content_days is not null order by id`,
      );
      return rows;
    },
    async begunBefore(owner, before, { limit, after }) {
      const { rows } = await pool.query<{ subject: CallId; begun_at: string }>(BEGUN_BEFORE, [
        owner,
        before,
        after?.begunAt ?? "-infinity",
        after?.callId ?? "",
        limit,
      ]);
      const last = rows.at(-1);
      const isFull = last !== undefined && rows.length === limit;
      return {
        callIds: rows.map(({ subject }) => subject),
        next: isFull ? { begunAt: last.begun_at, callId: last.subject } : null,
      };
    },
    async deleteRehearsals(now, dayMillis) {
      const values = [now, REHEARSAL_DAYS, dayMillis, REHEARSALS_AT_ONCE];
      for (let deleted = REHEARSALS_AT_ONCE; deleted === REHEARSALS_AT_ONCE; )
        deleted = (await pool.query(DELETE_REHEARSALS, values)).rowCount ?? 0;
    },
  };
}

const REHEARSAL_DAYS = 30;
/** A rehearsal has up to 500 runs. */
const REHEARSALS_AT_ONCE = 50;

/** With its key: nothing is left that it could open. */
const DELETE_REHEARSALS = `
with old as (
  select r.id from work.rehearsals r left join config.users u on u.id = r.owner_id
  where r.created_at < $1::timestamptz - least($2, coalesce(u.content_days, $2)) * $3::float8 * interval '1 millisecond'
  order by r.created_at limit $4
), keys as (delete from config.subject_keys where subject in (select id from old))
delete from work.rehearsals where id in (select id from old)`;

/**
 * Times stay in the database's text form: a JavaScript date is coarser, and a page would repeat
 * where the last one ended.
 */
const BEGUN_BEFORE = `
select subject, created_at::text as begun_at from config.subject_keys
where owner_id = $1 and erased_at is null and created_at < $2::timestamptz and subject like 'call\\_%'
  and (created_at, subject) > ($3::timestamptz, $4)
order by created_at, subject limit $5`;
