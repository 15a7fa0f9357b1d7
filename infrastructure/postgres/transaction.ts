import type pg from "pg";

/**
 * Begins a transaction whose named statements find their rows by keys, or join given lists by hashing: each
 * connection plans them once. By default PostgreSQL plans a statement with lists anew each time, which takes
 * longer than running it.
 */
export const BEGIN_WITH_KEPT_PLANS_AND_HASHING = `begin; set local plan_cache_mode = force_generic_plan;
  set local enable_seqscan = off; set local enable_mergejoin = off`;

/** The same with keys only. */
export const BEGIN_WITH_KEPT_PLANS = `${BEGIN_WITH_KEPT_PLANS_AND_HASHING}; set local enable_hashjoin = off`;

/**
 * Of a statement's `with` list, which must join it: the transaction, mostly this statement alone, is not
 * flushed. After a crash what it wrote may be missing.
 */
export const RELAXED = "relaxed as materialized (select set_config('synchronous_commit', 'off', true))";

/**
 * Runs `work` in one transaction on its own connection; a failure rolls back and is rethrown. A connection
 * that cannot roll back is closed.
 */
export async function inTransaction<Answer>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Answer>,
  begin = "begin",
): Promise<Answer> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const answer = await work(client);
    await client.query("commit");
    client.release();
    return answer;
  } catch (error) {
    await client.query("rollback").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
