import type pg from "pg";
import type { LeasedSession, SessionLeases } from "../../application/ports/session-leases.ts";

const LEASE_SECONDS = 6;
const UNTIL = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/** Rows of work.sessions; only the database's clock counts. `process`: another name after each start. */
export function createPostgresSessionLeases(pool: pg.Pool, process: string): SessionLeases {
  return {
    take: async ({ callId, epoch }) => {
      await pool.query(
        `insert into work.sessions as old (call_id, epoch, process, until) values ($1, $2, $3, ${UNTIL})
         on conflict (call_id) do update set epoch = excluded.epoch, process = excluded.process, until = excluded.until
         where old.epoch <= excluded.epoch`,
        [callId, epoch, process],
      );
    },
    drop: async ({ callId, epoch }) => {
      await pool.query("delete from work.sessions where call_id = $1 and epoch <= $2", [callId, epoch]);
    },
    renew: async () => {
      await pool.query(`update work.sessions set until = ${UNTIL} where process = $1`, [process]);
    },
    abandoned: async (limit) => {
      const { rows } = await pool.query<LeasedSession>(
        `select call_id as "callId", epoch from work.sessions where until < clock_timestamp() order by until limit $1`,
        [limit],
      );
      return rows;
    },
  };
}
