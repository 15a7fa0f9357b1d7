import type pg from "pg";
import {
  AWAY_SECONDS,
  type EndOnly,
  type NewPhoneCall,
  type PhoneCall,
  type PhoneRows,
} from "../../application/ports/phone-rows.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { EndedBy } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";

/** A phone counts as open for this long after its process last reported it. */
const OPEN_SECONDS = 6;
const COLUMNS = `c.call_id as "callId", c.owner, c.from_number as "from", c.assistant_name as "assistantName",
  c.ended_at is null and c.answered_at is null and c.ring_until <= clock_timestamp() as "rungOut",
  c.ended_at is null and c.answered_at is not null and coalesce(c.away_since,
    (select p.until from work.phones p where p.owner = c.owner and p.phone_id = c.phone_id))
    < clock_timestamp() - interval '${AWAY_SECONDS} seconds' as lost,
  c.ring_until as "ringUntil", c.phone_id as "phoneId", c.answered_at as "answeredAt", c.ended_at as "endedAt",
  c.end_reason as "endReason", c.ended_by as "endedBy"`;

/** Rows of work.phones and work.phone_calls. */
export function phoneRows(pool: pg.Pool): PhoneRows {
  const one = async (sql: string, values: readonly unknown[]): Promise<PhoneCall | null> =>
    (await pool.query<PhoneCall>(sql, [...values])).rows[0] ?? null;
  const many = async (sql: string, values: readonly unknown[]): Promise<readonly PhoneCall[]> =>
    (await pool.query<PhoneCall>(sql, [...values])).rows;
  return {
    open: async (owner: OwnerId, phoneId: string, process: string): Promise<void> => {
      await pool.query(
        `insert into work.phones (owner, phone_id, process, until)
         values ($1, $2, $3, clock_timestamp() + interval '${OPEN_SECONDS} seconds')
         on conflict (owner, phone_id) do update set process = excluded.process, until = excluded.until`,
        [owner, phoneId, process],
      );
    },
    renew: async (process: string): Promise<void> => {
      await pool.query(
        `update work.phones set until = clock_timestamp() + interval '${OPEN_SECONDS} seconds' where process = $1`,
        [process],
      );
    },
    close: async (owner: OwnerId, phoneId: string, process: string): Promise<void> => {
      await pool.query(
        `with removed as (delete from work.phones where owner = $1 and phone_id = $2 and process = $3 returning 1)
         update work.phone_calls set away_since = clock_timestamp()
         where owner = $1 and phone_id = $2 and ended_at is null and exists (select 1 from removed)`,
        [owner, phoneId, process],
      );
    },
    place: async (call: NewPhoneCall): Promise<"ringing" | "known" | "no_phone"> => {
      const { callId, owner, from, to, assistantName, ringSeconds } = call;
      const { rowCount } = await pool.query(
        `insert into work.phone_calls (call_id, owner, from_number, to_number, assistant_name, ring_until)
         select $1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)
         where exists (select 1 from work.phones where owner = $2 and until > clock_timestamp())
         on conflict (call_id) do nothing`,
        [callId, owner, from, to, assistantName, ringSeconds],
      );
      if (rowCount === 1) return "ringing";
      const known = await pool.query("select 1 from work.phone_calls where call_id = $1", [callId]);
      return known.rowCount === 1 ? "known" : "no_phone";
    },
    find: (callId: CallId) => one(`select ${COLUMNS} from work.phone_calls c where c.call_id = $1`, [callId]),
    ringingOf: (owner: OwnerId) =>
      many(
        `select ${COLUMNS} from work.phone_calls c where c.owner = $1 and c.ended_at is null
         and c.answered_at is null and c.ring_until > clock_timestamp()`,
        [owner],
      ),
    answer: (owner: OwnerId, callId: CallId, phoneId: string) =>
      one(
        `update work.phone_calls c set answered_at = clock_timestamp(), phone_id = $3
         where c.call_id = $2 and c.owner = $1 and c.ended_at is null and c.answered_at is null
           and c.ring_until > clock_timestamp() returning ${COLUMNS}`,
        [owner, callId, phoneId],
      ),
    takeUp: (owner: OwnerId, phoneId: string) =>
      many(
        `update work.phone_calls c set away_since = null
         where c.owner = $1 and c.phone_id = $2 and c.ended_at is null returning ${COLUMNS}`,
        [owner, phoneId],
      ),
    end: (callId: CallId, endReason: EndReason, endedBy: EndedBy | null, only: EndOnly = "live") =>
      one(
        `update work.phone_calls c set ended_at = clock_timestamp(), end_reason = $2, ended_by = $3
         where c.call_id = $1 and c.ended_at is null and ${ONLY[only]} returning ${COLUMNS}`,
        [callId, endReason, endedBy],
      ),
  };
}

const ONLY: Readonly<Record<EndOnly, string>> = {
  live: "true",
  ringing: "c.answered_at is null",
  away: `c.away_since < clock_timestamp() - interval '${AWAY_SECONDS - 1} seconds'`,
};
