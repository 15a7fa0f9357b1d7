import type pg from "pg";
import type { AccountTotals } from "../../application/installation-numbers.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";

type Row = {
  readonly balance: string;
  readonly reserved: string;
  readonly live: string;
  readonly limit: string;
  readonly wanted: string;
};

/** Sums over all owners for /metrics: reads one row each, whatever the number of calls. */
export async function accountTotals(pool: pg.Pool): Promise<AccountTotals> {
  const { rows } = await pool.query<Row>({ name: "account totals", text: SUMS });
  const sum = (name: keyof Row) => Number(rows[0]?.[name] ?? 0);
  return {
    available: unitsToCredits(sum("balance") - sum("reserved")),
    reserved: unitsToCredits(sum("reserved")),
    activeCalls: sum("live"),
    slotsLimit: sum("limit"),
    slotsWanted: sum("wanted"),
  };
}

/** An expired demand waits for nothing. */
const SUMS = `
select a.balance, a.reserved, a.live, u.limit, d.wanted
from
  (select coalesce(sum(balance), 0) as balance, coalesce(sum(reserved), 0) as reserved,
     coalesce(sum(live), 0) as live from work.owner_accounts) a,
  (select coalesce(sum(max_concurrent_calls), 0) as limit from config.users where active) u,
  (select coalesce(sum(wanted), 0) as wanted from work.slot_demand
   where until_ms > extract(epoch from clock_timestamp()) * 1000) d`;
