import type pg from "pg";

/**
 * The beginning of a transaction whose named statements find all their rows by keys, or bring given lists together by hashing: each connection plans
 * them once. Left to itself PostgreSQL plans a statement that takes lists anew each time, which costs more than running it.
 */
export const BEGIN_WITH_KEPT_PLANS_AND_HASHING = `begin; set local plan_cache_mode = force_generic_plan;
  set local enable_seqscan = off; set local enable_mergejoin = off`;

/** The same by keys alone. */
export const BEGIN_WITH_KEPT_PLANS = `${BEGIN_WITH_KEPT_PLANS_AND_HASHING}; set local enable_hashjoin = off`;

/** Runs `work` in one transaction of its own connection; a failure rolls back and is thrown on. A connection that cannot roll back is thrown away. */
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
