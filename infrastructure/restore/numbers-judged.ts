import type pg from "pg";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** Numbers of all owners that no other program calls from. */
export async function numbersJudged(pool: pg.Pool): Promise<ReadonlySet<PhoneNumber>> {
  const { rows } = await pool.query<{ phone_number: PhoneNumber }>(
    "select phone_number from config.phone_numbers group by phone_number having not bool_or(shared)",
  );
  return new Set(rows.map((row) => row.phone_number));
}

/** How much later a carrier may dial a call from its queue. */
const QUEUED_AT_MOST = "interval '15 minutes'";

/** Calls with a turn at that time or later. */
export async function recentDials(pool: pg.Pool, since: Instant): Promise<readonly CallId[]> {
  const { rows } = await pool.query<{ call_id: CallId }>(
    `select call_id from work.call_slots where dial_at >= $1::timestamptz - ${QUEUED_AT_MOST}`,
    [since],
  );
  return rows.map((row) => row.call_id);
}
