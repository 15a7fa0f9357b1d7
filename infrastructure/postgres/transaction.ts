import type pg from "pg";

/** Runs `work` in one transaction of its own connection; a failure rolls back and is thrown on. A connection that cannot roll back is thrown away. */
export async function inTransaction<Answer>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect();
  try {
    await client.query("begin");
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
