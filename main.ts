import type { ApiDeps, ReadinessCheck } from "./api/deps.ts";
import { buildServer } from "./api/server.ts";
import { createAggregates } from "./application/aggregates.ts";
import { createEngine, type Engine } from "./application/engine.ts";
import type { Checkpoints } from "./application/ports/checkpoints.ts";
import type { CrashPoints } from "./application/ports/crash-points.ts";
import { isEventStoreFailure, START } from "./application/ports/event-store.ts";
import type { Feed } from "./application/ports/feed.ts";
import type { Logger } from "./application/ports/logger.ts";
import type { Metrics } from "./application/ports/metrics.ts";
import type { ProcessorTurns } from "./application/ports/processor-turns.ts";
import { createCarrierEventSink } from "./application/process-managers/carrier-events.ts";
import { createFeed } from "./application/reactions/feed.ts";
import { type ProcessorStatus, tellProcessors } from "./application/reactions/processor-status.ts";
import { type RunningReaction, runReaction } from "./application/reactions/reaction.ts";
import {
  DEFAULT_LEASE_MILLIS,
  DEFAULT_LONGEST_WAIT_MILLIS,
  type EngineSettings,
} from "./application/settings.ts";
import { creditsToUnits } from "./domain/shared/credits.ts";
import type { OwnerId } from "./domain/shared/ids.ts";
import { systemClock } from "./infrastructure/clock.ts";
import type { Config } from "./infrastructure/config.ts";
import { crashPointsOf } from "./infrastructure/crash-points.ts";
import { createDialGate, type DialGate, gatedTelephony, openGate } from "./infrastructure/dial-gate.ts";
import { systemIds } from "./infrastructure/ids.ts";
import { createLogger } from "./infrastructure/logger.ts";
import { createMetrics } from "./infrastructure/metrics.ts";
import { createPostgresAdmission } from "./infrastructure/postgres/admission.ts";
import { giveSignsOfLife } from "./infrastructure/postgres/alive.ts";
import { createPostgresCampaignCommandQueue } from "./infrastructure/postgres/campaign-command-queue.ts";
import { createPostgresCheckpoints } from "./infrastructure/postgres/checkpoints.ts";
import { createPostgresConfiguration } from "./infrastructure/postgres/configuration.ts";
import { isRetryableDatabaseError } from "./infrastructure/postgres/database-error.ts";
import { createPostgresDirectory } from "./infrastructure/postgres/directory.ts";
import { keepHouse } from "./infrastructure/postgres/housekeeping.ts";
import { createPostgresIdempotency } from "./infrastructure/postgres/idempotency.ts";
import { createPostgresImports } from "./infrastructure/postgres/imports.ts";
import { createPostgresLeases } from "./infrastructure/postgres/leases.ts";
import { createNotifications } from "./infrastructure/postgres/notifications.ts";
import { createOwnerChanges } from "./infrastructure/postgres/owner-changes.ts";
import { kyselyOn } from "./infrastructure/postgres/pool.ts";
import { createPostgresProcessorTurns } from "./infrastructure/postgres/processor-turns.ts";
import { checkSecretsKey, loadSecretsKey, secretBox } from "./infrastructure/secrets.ts";
import { openTelephony } from "./infrastructure/telephony/open-telephony.ts";
import { simulatedRecording } from "./infrastructure/telephony/simulator/recording.ts";
import { addressPolicy } from "./infrastructure/webhooks/address-guard.ts";
import { deliveryLoop } from "./infrastructure/webhooks/delivery-loop.ts";
import { guardedHttpClient } from "./infrastructure/webhooks/guarded-http-client.ts";
import { postgresDeliveryStore } from "./infrastructure/webhooks/postgres-delivery-store.ts";
import { postgresOutbox } from "./infrastructure/webhooks/postgres-outbox.ts";
import { postgresWebhookSettings } from "./infrastructure/webhooks/postgres-webhook-settings.ts";
import { resolveName } from "./infrastructure/webhooks/resolve-name.ts";
import { openStores, type Stores } from "./programs/open-stores.ts";
import { createQueries } from "./projections/queries.ts";
import { createReadModels, readModelsFor } from "./projections/read-models.ts";

export type Service = {
  /** Where it listens. */
  readonly url: string;
  /** The first key of a new installation, shown this once; null when there is one already. */
  readonly firstKey: string | null;
  /** Stops accepting, finishes what is under way, lets go of the stores. Repeated: the same. */
  stop(): Promise<void>;
};

/**
 * The whole service of one process, as the configuration says: the only place where every layer meets. Rejects with one clear line when a store, a
 * port or the data directory cannot be had, and leaves nothing running then.
 */
export async function compose(config: Config): Promise<Service> {
  const logger = createLogger(config.logLevel);
  const closing: (() => Promise<unknown> | unknown)[] = [];
  const stop = once(async () => {
    for (const close of closing.toReversed()) await close();
  });
  try {
    return { ...(await composeInto(config, logger, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Closing = (() => Promise<unknown> | unknown)[];

async function composeInto(config: Config, logger: Logger, closing: Closing): Promise<Omit<Service, "stop">> {
  const { metrics, metricsText } = createMetrics();
  const crashPoints = crashPointsOf(config.crashAt);
  const stores = await openStores(config, logger, "service");
  closing.push(stores.close);
  const work = await openWork(config, stores, logger, metrics, crashPoints, closing);
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const gate = await dialGate(config, stores, work, logger, stopping.signal);
  let url = ""; // known once it listens; nothing that asks for it goes on before
  const publicUrl = () => config.publicUrl ?? url;
  const { engine, callbacks, announce } = await openEngine(
    config,
    stores,
    work,
    gate,
    logger,
    crashPoints,
    publicUrl,
    closing,
  );
  const { readModels, queries } = openReadModels(
    config,
    stores,
    work,
    logger,
    metrics,
    crashPoints,
    publicUrl,
  );
  const reactions: RunningReaction[] = [];
  const processors = () => [engine.runnerStatus(), ...reactions.map(({ status }) => status())];
  const server = await buildServer({
    ...work,
    useCases: engine.useCases,
    queries,
    eventStore: stores.eventStore,
    clock: systemClock,
    ids: systemIds,
    logger,
    metrics,
    metricsText: () => {
      tellProcessors(metrics, [...readModelProcessors(readModels), ...processors()]);
      return metricsText();
    },
    readiness: readinessChecks(stores, readModels, processors, work.checkpoints, gate),
    recording: async ({ messages }) => simulatedRecording(messages),
    carrierCallbacks: callbacks,
    settings: { rateLimit: config.rateLimit },
  });
  url = await server.listen({ host: config.host, port: config.port });
  runEverything(
    { config, stores, work, engine, readModels, reactions, logger, crashPoints, gate, stopping },
    closing,
  );
  keepAlive(stores, gate, logger, closing);
  closing.push(() => server.close());
  announce(url);
  const firstKey = await work.configuration.users.firstRun({
    userId: systemIds.next("usr"),
    apiKeyId: systemIds.next("key"),
    bootstrapKey: config.bootstrapApiKey,
  });
  return { url, firstKey: config.bootstrapApiKey === null ? (firstKey?.key ?? null) : null };
}

type Work = Awaited<ReturnType<typeof openWork>>;

/** Everything in the schemas work and config, and the way out for webhooks. */
async function openWork(
  config: Config,
  { database, eventStore, codec }: Stores,
  logger: Logger,
  metrics: Metrics,
  crashPoints: CrashPoints,
  closing: Closing,
) {
  const { pool } = database;
  const box = secretBox(
    loadSecretsKey(config.secretsKey, config.databaseUrl === null ? config.dataDir : null),
  );
  await checkSecretsKey(pool, box);
  const notifications = createNotifications(pool, logger);
  closing.push(notifications.close);
  await notifications.start();
  const changes = createOwnerChanges(notifications);
  const admission = createPostgresAdmission({ pool, notifications, logger });
  closing.push(admission.stop);
  const configuration = createPostgresConfiguration({
    db: kyselyOn(pool),
    changes,
    clock: systemClock,
    secretBox: box,
    defaults: { plan: config.plan, credits: creditsToUnits(config.initialCredits) },
  });
  closing.push(configuration.stop);
  const checkpoints = createPostgresCheckpoints(pool);
  const feed: Feed = createFeed({
    eventStore,
    codec,
    clock: systemClock,
    logger,
    metrics,
    parkDamaged: (stored, problem) => checkpoints.park("feed", stored, problem),
  });
  const policy = addressPolicy(config.webhookAllowCidrs);
  const client = guardedHttpClient({ policy, resolve: resolveName, ca: undefined });
  const deliveries = deliveryLoop({
    store: postgresDeliveryStore(pool, box),
    client,
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    crashPoints,
    worker: `webhooks:${processName(config)}`,
  });
  closing.push(async () => {
    await deliveries.stop();
    await client.close();
  });
  return {
    admission,
    configuration,
    checkpoints,
    feed,
    turns: openTurns(database, logger, closing),
    deliveries,
    directory: createPostgresDirectory(pool, changes),
    leases: createPostgresLeases(pool),
    commandQueue: createPostgresCampaignCommandQueue(pool, notifications),
    imports: createPostgresImports(pool),
    idempotency: createPostgresIdempotency(pool, logger),
    outbox: postgresOutbox({
      pool,
      clock: systemClock,
      ids: systemIds,
      onQueued: (owners: readonly OwnerId[]) => deliveries.wake(owners),
    }),
    webhooks: postgresWebhookSettings({
      pool,
      box,
      clock: systemClock,
      ids: systemIds,
      client,
      policy,
      resolve: resolveName,
      onChange: (owners) => deliveries.refresh(owners),
    }),
  };
}

/**
 * Also where no other process can have a turn: turns end with their connection, and after a crash of the database every processor must start over
 * from what is stored, because not all that it did last may be.
 */
function openTurns({ connection }: Stores["database"], logger: Logger, closing: Closing): ProcessorTurns {
  const turns = createPostgresProcessorTurns({ connection, clock: systemClock, logger });
  closing.push(turns.close);
  return turns;
}

async function openEngine(
  config: Config,
  stores: Stores,
  work: Work,
  gate: DialGate,
  logger: Logger,
  crashPoints: CrashPoints,
  publicUrl: () => string,
  closing: Closing,
) {
  const { eventStore, codec } = stores;
  const shared = { eventStore, codec, ids: systemIds, clock: systemClock, crashPoints, logger };
  const aggregates = createAggregates(shared);
  const sink = createCarrierEventSink({ ...shared, calls: aggregates.calls });
  const { telephony, callbacks, announce, stop } = await openTelephony({
    ...shared,
    simulator: config.simulator,
    dataDir: config.dataDir,
    sink,
  });
  closing.push(stop);
  const engine = createEngine(
    {
      ...shared,
      ...work,
      aggregates,
      telephony: gatedTelephony(telephony, gate),
      settings: engineSettings(config),
      publicUrl,
    },
    { works: config.role !== "api", requireOpen: gate.requireOpen },
  );
  return { engine, callbacks, announce };
}

/** With the log in a database of its own the two can be restored to different moments. */
async function dialGate(
  config: Config,
  { database, eventStore }: Stores,
  { checkpoints }: Work,
  logger: Logger,
  stop: AbortSignal,
): Promise<DialGate> {
  if (config.eventStoreUrl === null) return openGate;
  const settled = await checkpoints.load("call-settlement");
  const { acceptRestored } = config;
  const gate = createDialGate({
    pool: database.pool,
    eventStore,
    after: settled?.position ?? START,
    acceptRestored,
    clock: systemClock,
    logger,
    stop,
  });
  // Whoever writes as soon as the service listens is not to be refused for a gate that is about to open.
  await Promise.race([gate.opened, systemClock.sleep(GATE_PATIENCE_MILLIS, stop)]);
  return gate;
}
const GATE_PATIENCE_MILLIS = 2_000;

/** Removes what has served its time; gives signs of life, but none to a database that nobody has accepted yet. */
function keepAlive({ database }: Stores, gate: DialGate, logger: Logger, closing: Closing): void {
  const house = keepHouse(database.pool, logger);
  let stopAlive = () => {};
  void gate.opened.then(() => {
    stopAlive = giveSignsOfLife(database.pool, logger).stop;
  });
  closing.push(house.stop, () => stopAlive());
}

function engineSettings(config: Config): EngineSettings {
  return {
    pricePerMinute: creditsToUnits(config.creditPricePerMinute),
    retryMinuteMillis: config.simulator.minuteMillis,
    processId: processName(config),
    leaseMillis: DEFAULT_LEASE_MILLIS,
    longestWaitMillis: DEFAULT_LONGEST_WAIT_MILLIS,
  };
}

/** With the embedded database there is one process, which takes its leases up again at once after a restart; else every process is another one. */
function processName(config: Config): string {
  return config.databaseUrl === null ? "ringfold" : `ringfold-${processSuffix}`;
}
const processSuffix = systemIds.uuid();

function openReadModels(
  config: Config,
  stores: Stores,
  { feed, turns }: Work,
  logger: Logger,
  metrics: Metrics,
  crashPoints: CrashPoints,
  publicUrl: () => string,
) {
  const deps = {
    db: stores.readDb,
    eventStore: stores.eventStore,
    codec: stores.codec,
    feed,
    turns,
    clock: systemClock,
    crashPoints,
    logger,
    metrics,
  };
  const readModels = createReadModels(deps, readModelsFor(config.eventStoreUrl, stores.eventStore));
  const queries = createQueries({
    ...deps,
    positions: readModels.positions,
    publicUrl,
    ownerEventsIndexed: config.eventStoreUrl !== null,
  });
  return { readModels, queries };
}

type Running = {
  readonly config: Config;
  readonly stores: Stores;
  readonly work: Work;
  readonly engine: Engine;
  readonly readModels: ReturnType<typeof createReadModels>;
  /** Filled when the gate opens. */
  readonly reactions: RunningReaction[];
  readonly logger: Logger;
  readonly crashPoints: CrashPoints;
  readonly gate: DialGate;
  readonly stopping: AbortController;
};

/** Starts what goes on by itself: the read models at once, whatever can lead to a dial when the gate opens. */
function runEverything(
  { config, stores, work, engine, readModels, reactions, logger, crashPoints, gate, stopping }: Running,
  closing: Closing,
): void {
  const { signal } = stopping;
  const { eventStore, codec } = stores;
  const deps = { ...work, eventStore, codec, clock: systemClock, logger, crashPoints, isTransient };
  const goingOn = [readModels.run(signal)];
  void gate.opened.then(() => {
    if (signal.aborted) return;
    goingOn.push(engine.run(signal));
    if (config.role === "api") return;
    reactions.push(...engine.reactions.map((reaction) => runReaction(deps, reaction, signal)));
    goingOn.push(...reactions.map(({ finished }) => finished));
    work.deliveries.start();
  });
  closing.push(async () => {
    stopping.abort();
    await Promise.allSettled(goingOn);
  });
}

function isTransient(error: unknown): boolean {
  return isRetryableDatabaseError(error) || isEventStoreFailure(error, "unavailable");
}

function readinessChecks(
  stores: Stores,
  readModels: Running["readModels"],
  processors: () => readonly ProcessorStatus[],
  checkpoints: Checkpoints,
  gate: DialGate,
): ApiDeps["readiness"] {
  const answers = (name: string, ask: () => Promise<unknown>): ReadinessCheck => ({
    name,
    check: async () => {
      await ask();
      return { ok: true, detail: {} };
    },
  });
  return [
    answers("database", () => stores.database.pool.query("select 1")),
    answers("event log", () => stores.eventStore.ping()),
    {
      name: "dialling",
      check: async () => ({ ok: gate.state() === "open", detail: { state: gate.state() } }),
    },
    {
      name: "parked events",
      check: async () => ({ ok: true, detail: { count: (await checkpoints.parked()).length } }),
    },
    ...readModels.status().map(
      ({ model }): ReadinessCheck => ({
        name: `read model ${model}`,
        check: async () => {
          const status = readModels.status().find((each) => each.model === model);
          return { ok: status?.state === "following", detail: { ...status } };
        },
      }),
    ),
    {
      name: "reactions",
      check: async () => ({
        ok: true,
        detail: Object.fromEntries(processors().flatMap(processorDetail)),
      }),
    },
  ];
}

function readModelProcessors(readModels: Running["readModels"]): ProcessorStatus[] {
  return readModels.status().map(({ model: name, ...status }) => ({ name, ...status }));
}

function processorDetail({
  name,
  position,
  lagMillis,
  lastMovedAt,
  parked,
}: ProcessorStatus): [string, string | number | null][] {
  return [
    [`${name} position`, position],
    [`${name} lagMillis`, lagMillis],
    [`${name} lastMovedAt`, lastMovedAt],
    [`${name} parked`, parked],
  ];
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
