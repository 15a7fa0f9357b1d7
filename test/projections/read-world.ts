import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { createFeed } from "../../application/log/feed.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { ProcessorTurns } from "../../application/ports/processor-turns.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { PolicyChanged } from "../../domain/policy/events.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { kyselyOn } from "../../infrastructure/postgres/pool.ts";
import { modelOf, type Projection } from "../../projections/engine/projection.ts";
import { createReadPositions, type ReadPositions } from "../../projections/engine/read-positions.ts";
import type { ReadSchema } from "../../projections/engine/read-schema.ts";
import { type RebuildOptions, rebuild } from "../../projections/engine/rebuild.ts";
import { RebuildRunningError } from "../../projections/engine/rebuild-lock.ts";
import { createQueries, type QueryDeps } from "../../projections/queries.ts";
import {
  BACKGROUND_MODELS,
  createReadModels,
  READ_MODELS,
  type ReadModels,
} from "../../projections/read-models.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";
import { createTestCodec, eventsToAppend } from "../../simulation/memory/subject-keys.ts";
import { migratedDatabase } from "../support/database.ts";
import { createProtocolServerHarness } from "../support/eventstoredb/event-store-harness.ts";
import { memoryLog } from "../support/memory-log.ts";
import type { TestDatabase } from "../support/postgres.ts";
import type { HistoryEvent } from "./random-history.ts";

export const codec = createTestCodec();

/** A read database of its own beside a log in memory. */
export type ReadWorld = {
  readonly database: TestDatabase;
  readonly db: Kysely<ReadSchema>;
  readonly eventStore: EventStore;
  /** Read models that follow until the world closes; `logger` hears their alarms. */
  start(options?: StartOptions): ReadModels;
  append(history: readonly HistoryEvent[]): Promise<void>;
  rebuild(options?: Partial<RebuildOptions>, projections?: readonly Projection[]): Promise<void>;
  /** How far the read models are, as a process without projectors sees it. */
  positions(): ReadPositions;
  /** Ends all read models that were started. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

export type StartOptions = {
  readonly projections?: readonly Projection[];
  readonly logger?: Logger;
  readonly turns?: ProcessorTurns;
};

/** Which log the read models read: in memory unless a test is about the log. */
export type LogKind = "memory" | "PostgreSQL" | "EventStoreDB";

export async function openReadWorld(kind: LogKind = "memory"): Promise<ReadWorld> {
  const database = await migratedDatabase();
  // A connection that dies in somebody's hands tells it to them; `pg` would throw it besides, at nobody.
  database.pool.on("connect", (client) => client.on("error", () => undefined));
  const db = kyselyOn<ReadSchema>(database.pool);
  const log = await openLog(kind, database);
  const { eventStore } = log;
  let stopping = new AbortController();
  let running: Promise<void>[] = [];
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(running);
    running = [];
    stopping = new AbortController();
  };
  const revisions = new Map<string, number>();
  return {
    database,
    db,
    eventStore,
    start({ projections = READ_MODELS, logger = silentLogger, ...turns } = {}) {
      const ports = { eventStore, codec, clock: systemClock, logger, metrics: silentMetrics };
      const feed = createFeed({ ...ports, parkDamaged: async () => undefined });
      const models = createReadModels({ ...ports, ...turns, db, feed }, projections);
      running.push(models.run(stopping.signal));
      return models;
    },
    async append(history) {
      for (const { stream, owner, event } of history) {
        const before = revisions.get(stream);
        const stored = await eventsToAppend(codec, owner, [event]);
        const { revision } = await eventStore.append(stream, before ?? "no_stream", stored);
        revisions.set(stream, revision);
        if (event.type === "PolicyChanged") await bringIntoForce(database, event.data);
      }
    },
    async rebuild(options = {}, projections = READ_MODELS) {
      const stop = new AbortController();
      // Models that have just caught up may hold their lock for a moment.
      for (let looks = 0; ; looks += 1) {
        try {
          const deps = { db, eventStore, codec, logger: silentLogger };
          return await rebuild(deps, projections, { signal: stop.signal, ...options });
        } catch (error) {
          if (!(error instanceof RebuildRunningError) || looks >= 40) throw error;
          await delay(50);
        }
      }
    },
    positions: () => createReadPositions({ db, eventStore, clock: systemClock }, READ_MODELS.map(modelOf)),
    stop,
    async close() {
      await stop();
      await log.close();
      await database.drop();
    },
  };
}

/** As the process does that changed the policy. */
async function bringIntoForce({ pool }: TestDatabase, { owner, version, policy, at }: PolicyChanged["data"]) {
  await pool.query(
    `insert into work.policies (owner_id, version, policy, changed_at) values ($1, $2, $3, $4)
      on conflict (owner_id) do update set version = excluded.version`,
    [owner, version, policy, at],
  );
}

type OpenLog = { readonly eventStore: EventStore; close(): Promise<void> };

/** EventStoreDB: the real client against the protocol server. */
async function openLog(kind: LogKind, { connectionString }: TestDatabase): Promise<OpenLog> {
  if (kind === "EventStoreDB") {
    const harness = await createProtocolServerHarness();
    return { eventStore: harness.open(), close: harness.close };
  }
  const connection = { connectionString };
  const eventStore =
    kind === "memory"
      ? memoryLog({ clock: systemClock }).eventStore
      : createPostgresEventStore(silentLogger, { connection });
  return { eventStore, close: eventStore.close };
}

/** What the API would read with these read models. */
export function queriesOf(
  { db, eventStore }: ReadWorld,
  { positions }: ReadModels,
  options: Partial<Pick<QueryDeps, "ownerEventsIndexed" | "clock">> = {},
): Queries {
  const ports = { eventStore, codec, clock: systemClock, logger: silentLogger, metrics: silentMetrics };
  const feed = createFeed({ ...ports, parkDamaged: async () => undefined });
  return createQueries({
    db,
    eventStore,
    codec,
    feed,
    positions,
    backgroundPositions: createReadPositions(
      { db, eventStore, clock: systemClock },
      BACKGROUND_MODELS.map(modelOf),
    ),
    clock: systemClock,
    publicUrl: () => "http://127.0.0.1:3000",
    ...options,
  });
}

/** Every row of every table of the read models, in one order. */
export async function allRows(
  db: Kysely<ReadSchema>,
  projections: readonly Projection[] = READ_MODELS,
): Promise<Record<string, unknown[]>> {
  const tables = projections.flatMap(({ tables: names, version }) =>
    names.map((name) => `${name}_v${version}`),
  );
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const { rows } =
      await sql`select to_jsonb(t) as row from ${sql.table(`read.${table}`)} t order by 1`.execute(db);
    found[table] = rows;
  }
  return found;
}
