import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { createFeed } from "../../application/log/feed.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { createMemoryEventStore } from "../../infrastructure/log/memory/event-store.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { temporaryFolder } from "../../infrastructure/own-processes.ts";
import { startEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../infrastructure/postgres/migrations/migrate.ts";
import { kyselyOn, openPool } from "../../infrastructure/postgres/pool.ts";
import { createReadSchema } from "../../projections/engine/checkpoints.ts";
import type { Projection } from "../../projections/engine/projection.ts";
import type { ReadSchema } from "../../projections/engine/read-schema.ts";
import { rebuild } from "../../projections/engine/rebuild.ts";
import { createReadModels, READ_MODELS } from "../../projections/read-models.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";
import { createTestCodec } from "../../simulation/memory/subject-keys.ts";
import { type Benchmark, median, perSecond } from "../benchmark.ts";
import { appendCalls } from "../projections-workload.ts";

const CAMPAIGNS = 10;
const CONTACTS = 2_000;
const CONCURRENT = 1_000;
const REBUILD_GOAL = 50_000;
/** 2,000 calls a second of 13 events each. */
const LIVE_GOAL = 26_000;
const RUNS = Number(process.env["PROJECTION_RUNS"] ?? 3);

const codec = createTestCodec();

/**
 * How fast rows are made from the log: all read models in one pass of a rebuild, and behind the feed as in
 * the running service.
 */
export const benchmark: Benchmark = {
  name: "projections",
  async run({ log }) {
    const folder = temporaryFolder("ringfold-bench-");
    chmodSync(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: join(folder, "data") });
    const pool = openPool({ connection: server.connection, logger: silentLogger, statementTimeoutMillis: 0 });
    await migrate(pool);
    const db = kyselyOn<ReadSchema>(pool);
    const eventStore = createPostgresEventStore(silentLogger, { connection: server.connection });
    try {
      const events = await appendCalls({ eventStore, codec }, CAMPAIGNS, CONTACTS, CONCURRENT);
      log(`${events} events in the log`);
      await createReadSchema(db);
      const rebuilds: number[] = [];
      const campaigns: number[] = [];
      const live: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        rebuilds.push(await perSecond(events, () => build(db, eventStore, READ_MODELS)));
        campaigns.push(await perSecond(events, () => build(db, eventStore, CAMPAIGN_MODELS)));
        await build(db, createMemoryEventStore(systemClock), READ_MODELS);
        live.push(await perSecond(events, () => follow(db, eventStore)));
        log(
          `run ${run + 1}: rebuild ${Math.round(rebuilds.at(-1) ?? 0)}, of campaigns ${Math.round(campaigns.at(-1) ?? 0)}, feed ${Math.round(live.at(-1) ?? 0)} events/s`,
        );
      }
      return {
        benchmark: "projections",
        settings: {
          events,
          models: READ_MODELS.map(({ name }) => name).join(" "),
          log: "PostgreSQL, fsync on",
          synchronous_commit: "off for rows",
          runs: RUNS,
        },
        rows: [
          row("rebuild of all read models", median(rebuilds), REBUILD_GOAL),
          row("rebuild of campaigns and contacts alone", median(campaigns)),
          row("all read models behind the feed", median(live), LIVE_GOAL),
        ],
      };
    } finally {
      await eventStore.close();
      await pool.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Models that need no texts of calls; other events are skipped. */
const CAMPAIGN_MODELS = READ_MODELS.filter(({ name }) => name === "campaigns" || name === "contacts");

function row(what: string, rate: number, goal: number | null = null) {
  if (goal === null) return { what, unit: "events/s", medians: { ringfold: rate }, goal, reached: null };
  return { what, unit: "events/s", medians: { ringfold: rate }, goal: `≥ ${goal}`, reached: rate >= goal };
}

async function build(
  db: Kysely<ReadSchema>,
  eventStore: EventStore,
  models: readonly Projection[],
): Promise<void> {
  const signal = new AbortController().signal;
  await rebuild({ db, eventStore, codec, logger: silentLogger }, models, { signal });
}

async function follow(db: Kysely<ReadSchema>, eventStore: EventStore): Promise<void> {
  await sql`update read.checkpoints set event_id = null`.execute(db);
  const stop = new AbortController();
  const ports = { eventStore, codec, clock: systemClock, logger: silentLogger, metrics: silentMetrics };
  const feed = createFeed({ ...ports, parkDamaged: async () => undefined });
  const models = createReadModels({ ...ports, db, feed });
  const running = models.run(stop.signal);
  if (!(await models.positions.waitFor(await eventStore.head(), 600_000))) throw new Error("not caught up");
  stop.abort();
  await running;
}
