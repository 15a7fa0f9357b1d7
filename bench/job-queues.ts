import { Logger, makeWorkerUtils, run as runWorker } from "graphile-worker";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { perSecond } from "./benchmark.ts";

/** Connections of each queue, and empty jobs in parallel. */
export const QUEUE_POOL = 10;
const QUEUE = "bench";

/**
 * Jobs a second of graphile-worker with its defaults, ten in parallel: all are queued
 * before the clock starts.
 */
export async function graphileWorkerRate(connection: pg.ClientConfig, count: number): Promise<number> {
  const pgPool = new pg.Pool({ ...connection, max: QUEUE_POOL });
  pgPool.on("error", () => undefined);
  // it needs an error listener of its own
  pgPool.on("connect", (client) => client.on("error", () => undefined));
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  for (let left = count; left > 0; left -= 1_000)
    await utils.addJobs(
      Array.from({ length: Math.min(left, 1_000) }, () => ({ identifier: QUEUE, payload: {} })),
    );
  const all = Promise.withResolvers<void>();
  let done = 0;
  const taskList = {
    [QUEUE]: () => {
      done += 1;
      if (done === count) all.resolve();
    },
  };
  let stop = async (): Promise<void> => undefined;
  const rate = await perSecond(count, async () => {
    const runner = await runWorker({
      pgPool,
      logger,
      taskList,
      concurrency: QUEUE_POOL,
      noHandleSignals: true,
    });
    stop = () => runner.stop();
    await all.promise;
  });
  await stop();
  await utils.release();
  await untilNoneLeft(pgPool);
  await pgPool.end();
  return rate;
}

/** The last jobs are deleted shortly after they were done. */
async function untilNoneLeft(pool: pg.Pool): Promise<void> {
  const until = performance.now() + 10_000;
  for (;;) {
    const { rows } = await pool.query<{ n: number }>("select count(*)::int as n from graphile_worker.jobs");
    if (rows[0]?.n === 0) return;
    if (performance.now() > until) throw new Error(`graphile-worker left ${rows[0]?.n} jobs`);
  }
}

/** Jobs a second of pg-boss in batches of 500. */
export async function pgBossRate(connection: pg.ClientConfig, count: number): Promise<number> {
  const { host = "", port = 5432, user = "", database = "" } = connection;
  const boss = new PgBoss({ host, port, user, database, max: QUEUE_POOL });
  boss.on("error", () => undefined);
  await boss.start();
  await boss.createQueue(QUEUE);
  for (let left = count; left > 0; left -= 1_000)
    await boss.insert(
      QUEUE,
      Array.from({ length: Math.min(left, 1_000) }, () => ({ data: {} })),
    );
  const all = Promise.withResolvers<void>();
  let done = 0;
  const rate = await perSecond(count, async () => {
    await boss.work(QUEUE, { batchSize: 500, pollingIntervalSeconds: 0.5 }, async (jobs) => {
      done += jobs.length;
      if (done >= count) all.resolve();
    });
    await all.promise;
  });
  await boss.stop({ graceful: true });
  if (done !== count) throw new Error(`pg-boss did ${done} of ${count} jobs`);
  return rate;
}
