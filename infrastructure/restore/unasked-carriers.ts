import type pg from "pg";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";

/**
 * Connections whose carrier has not answered yet, and the time from which its calls have to be asked
 * for; kept over restarts.
 */
export async function unaskedSince(pool: pg.Pool): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await pool.query<{ key: string; since: Date }>(
    "select key, since from work.unasked_carriers",
  );
  return new Map(rows.map(({ key, since }) => [key, instantFromMillis(since.getTime())]));
}

/** The earliest time is kept. */
export async function noteUnasked(pool: pg.Pool, keys: readonly string[], since: Instant): Promise<void> {
  if (keys.length === 0) return;
  await pool.query(
    "insert into work.unasked_carriers (key, since) select unnest($1::text[]), $2 on conflict (key) do nothing",
    [keys, since],
  );
}

export async function forgetUnasked(pool: pg.Pool, keys: readonly string[]): Promise<void> {
  await pool.query("delete from work.unasked_carriers where key = any($1::text[])", [keys]);
}
