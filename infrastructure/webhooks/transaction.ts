import type pg from "pg";

/** Runs `work` in one transaction of its own connection; a failure rolls back and is thrown on. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    await client.query("rollback").then(
      () => client.release(),
      (lost: unknown) => client.release(lost instanceof Error ? lost : true),
    );
    throw error;
  }
}
