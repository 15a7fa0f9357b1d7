import type pg from "pg";

/**
 * `pool.end()` resolves before its connections are closed; a server that stops in between would cut them,
 * with a warning for each.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  const closed = Promise.withResolvers<void>();
  let open = pool.totalCount;
  pool.on("remove", () => {
    open -= 1;
    if (open === 0) closed.resolve();
  });
  await pool.end();
  if (open > 0) await closed.promise;
}
