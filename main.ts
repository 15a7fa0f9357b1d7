import { join } from "node:path";
import { createOpenStreams } from "./api/open-streams.ts";
import { type OrderlyClose, orderlyClose } from "./api/orderly-close.ts";
import { buildServer } from "./api/server.ts";
import type { Engine } from "./application/engine.ts";
import { type RunningReaction, runReaction } from "./application/log/reaction.ts";
import { erasuresReaction } from "./application/personal-data/erase-again.ts";
import { createErasing } from "./application/personal-data/erasing.ts";
import type { ErasureStepsDeps } from "./application/personal-data/erasure-steps.ts";
import { runErasures } from "./application/personal-data/run-erasures.ts";
import type { Configuration } from "./application/ports/configuration.ts";
import { isEventStoreFailure } from "./application/ports/event-store.ts";
import type { Logger } from "./application/ports/logger.ts";
import { rangeReplay } from "./application/webhook/range-replay.ts";
import { simulatedRecording } from "./infrastructure/carriers/simulated/recording.ts";
import { systemClock } from "./infrastructure/clock.ts";
import type { Config } from "./infrastructure/config.ts";
import { crashPointsOf } from "./infrastructure/crash-points.ts";
import { loadDashboardFiles } from "./infrastructure/dashboard/dashboard-files.ts";
import { systemIds } from "./infrastructure/ids.ts";
import { countedEventStore } from "./infrastructure/log/counted-event-store.ts";
import { createLogger } from "./infrastructure/logger.ts";
import { createMetrics } from "./infrastructure/metrics.ts";
import { giveSignsOfLife } from "./infrastructure/postgres/alive.ts";
import { isRetryableDatabaseError } from "./infrastructure/postgres/database-error.ts";
import { keepHouse } from "./infrastructure/postgres/housekeeping.ts";
import type { DialGate } from "./infrastructure/restore/dial-gate.ts";
import { openStores } from "./programs/open-stores.ts";
import { metricsPage } from "./programs/service/metrics-page.ts";
import {
  type CarrierLine,
  openCarrierLine,
  openDialGate,
  openEngine,
} from "./programs/service/open-engine.ts";
import { openPhones } from "./programs/service/open-phone-line.ts";
import { openReadModels } from "./programs/service/open-read-models.ts";
import { openWork, type Work } from "./programs/service/open-work.ts";
import { readinessChecks, readModelProcessors } from "./programs/service/readiness.ts";
import type { Closing, Surroundings } from "./programs/service/surroundings.ts";
import { createCampaignMoments } from "./projections/history/campaign-moments.ts";
import type { ReadModels } from "./projections/read-models.ts";

export type Service = {
  /** Where it listens. */
  readonly url: string;
  /** The first key of a new installation, shown this once; null when there is one already. */
  readonly firstKey: string | null;
  /** The dashboard was built meanwhile; or it could not be, for this reason. */
  dashboardBuilt(problem: string | null): void;
  /** Dials nobody any more at once; stops accepting, finishes what is under way within 10 s, lets go of the stores. Repeated: the same. */
  stop(): Promise<void>;
};

/**
 * The whole service of one process, as the configuration says: the only place where every layer meets. Rejects with one clear line when a store, a
 * port or the data directory cannot be had, and leaves nothing running then. `stop`: from then on nobody is dialled, also while it still starts; it
 * starts to its end all the same, and waits for `Service.stop`.
 */
export async function compose(config: Config, stop?: AbortSignal): Promise<Service> {
  const logger = createLogger(config.logLevel);
  const closing: Closing = [];
  const stopDialing = new AbortController();
  const dialsNobody = AbortSignal.any([stopDialing.signal, ...(stop === undefined ? [] : [stop])]);
  const stopService = once(async () => {
    stopDialing.abort();
    for (const close of closing.toReversed()) await close();
  });
  try {
    return { ...(await composeInto(config, logger, closing, dialsNobody)), stop: stopService };
  } catch (error) {
    await stopService();
    throw error;
  }
}

async function composeInto(
  config: Config,
  logger: Logger,
  closing: Closing,
  stopDialing: AbortSignal,
): Promise<Omit<Service, "stop">> {
  const measured = createMetrics();
  const { metrics } = measured;
  const crashPoints = crashPointsOf(config.crashAt);
  const opened = await openStores(config, logger, "service");
  closing.push(opened.close);
  const stores = { ...opened, eventStore: countedEventStore(opened.eventStore, metrics) };
  const surroundings: Surroundings = { config, stores, logger, metrics, crashPoints, closing };
  const work = await openWork(surroundings);
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const carrierLine = await openCarrierLine(surroundings);
  const { phones, telephony } = openPhones(surroundings, work, carrierLine);
  const line = { ...carrierLine, telephony };
  const gate = await openDialGate(surroundings, work, line, stopDialing);
  let url = ""; // known once it listens; nothing that asks for it goes on before
  const publicUrl = () => config.publicUrl ?? url;
  const engine = openEngine(surroundings, work, line, gate, publicUrl, stopDialing);
  if (engine.conversations !== null) line.conversations.open(engine.conversations);
  const { readModels, aside, queries } = openReadModels(surroundings, work, publicUrl);
  const { calls } = line.aggregates;
  const erasing: ErasureStepsDeps = {
    ...work,
    calls,
    queries,
    eventStore: stores.eventStore,
    clock: systemClock,
    crashPoints,
    logger,
  };
  const reactions: RunningReaction[] = [];
  const processors = () => [...engine.processors(), ...reactions.map(({ status }) => status())];
  const openStreams = createOpenStreams(systemClock);
  const dashboardFiles = loadDashboardFiles(join(import.meta.dirname, "dashboard/dist"));
  const keyed = Promise.withResolvers<void>();
  const server = await buildServer({
    ...work,
    configuration: judgingKeysAfter(keyed.promise, work.configuration),
    webhooks: {
      ...work.webhooks,
      replayRange: rangeReplay({
        ...stores,
        ...work,
        queries,
        campaignMoments: createCampaignMoments(stores),
        clock: systemClock,
        ids: systemIds,
        publicUrl,
      }),
    },
    erasing: createErasing({ ...erasing, queries, requireOpen: gate.requireOpen }),
    useCases: engine.useCases,
    queries,
    connectionKind: async (owner, id) => (await work.configuration.connections.get(owner, id))?.kind ?? null,
    eventStore: stores.eventStore,
    clock: systemClock,
    ids: systemIds,
    logger,
    metrics,
    metricsText: metricsPage(measured, stores, engine, () => [
      ...readModelProcessors(readModels),
      ...readModelProcessors(aside),
      ...processors(),
    ]),
    readiness: readinessChecks(stores, { readModels, aside }, processors, work.checkpoints, gate),
    recording: async ({ messages }) => simulatedRecording(messages),
    carrierCallbacks: line.callbacks,
    phones,
    dashboard: config.dashboard
      ? { files: dashboardFiles, overHttps: config.publicUrl?.startsWith("https:") === true }
      : null,
    entrances: line.entrances,
    openStreams,
    settings: {
      rateLimit: config.rateLimit,
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl,
      dashboard: config.dashboard ? { publicUrl: config.publicUrl } : null,
    },
  });
  const closeServer = orderlyClose(server, openStreams);
  url = await server.listen({ host: config.host, port: config.port });
  runEverything(surroundings, {
    work,
    engine,
    readModels,
    aside,
    reactions,
    gate,
    erasing,
    stopping,
    stopDialing,
  });
  keepAlive(surroundings, gate);
  closing.push(() => finishUnderWay(closeServer, line, work, engine));
  line.announce(url);
  const firstKey = await work.configuration.users
    .firstRun({
      userId: systemIds.next("usr"),
      apiKeyId: systemIds.next("key"),
      bootstrapKey: config.bootstrapApiKey,
    })
    .finally(keyed.resolve);
  const { reload: dashboardBuilt } = dashboardFiles;
  return { url, dashboardBuilt, firstKey: config.bootstrapApiKey === null ? (firstKey?.key ?? null) : null };
}

/** Requests that come before the first key is stored wait for it; otherwise BOOTSTRAP_API_KEY would be answered 401. */
function judgingKeysAfter(keyed: Promise<void>, configuration: Configuration): Configuration {
  const { apiKeys } = configuration;
  const verify: typeof apiKeys.verify = async (key) => {
    await keyed;
    return apiKeys.verify(key);
  };
  return { ...configuration, apiKeys: { ...apiKeys, verify } };
}

const FINISH_MILLIS = 10_000;

/**
 * What is under way at a stop: conversations, which another process goes on with, requests, webhook deliveries, dials on the wire. Nothing new comes
 * in meanwhile; the rest is cut after 10 s.
 */
async function finishUnderWay(
  closeServer: OrderlyClose,
  line: CarrierLine,
  { deliveries }: Work,
  engine: Engine,
): Promise<void> {
  const cut = AbortSignal.timeout(FINISH_MILLIS);
  line.leave();
  const lastWords = [engine.allHandedOver(), engine.conversations?.allOver()];
  const handedOver = Promise.race([Promise.all(lastWords), systemClock.sleep(FINISH_MILLIS, cut)]);
  await Promise.all([closeServer(cut), deliveries.stop(FINISH_MILLIS), handedOver]);
}

/** Removes what has served its time; gives signs of life, but none to a database that nobody has accepted yet. */
function keepAlive({ stores: { database }, logger, closing }: Surroundings, gate: DialGate): void {
  const house = keepHouse(database.pool, logger);
  let stopAlive = () => {};
  void gate.opened.then(() => {
    stopAlive = giveSignsOfLife(database.pool, logger).stop;
  });
  closing.push(house.stop, () => stopAlive());
}

type Running = {
  readonly work: Work;
  readonly engine: Engine;
  readonly readModels: ReadModels;
  /** Those that no write waits for. */
  readonly aside: ReadModels;
  /** Filled when the gate opens. */
  readonly reactions: RunningReaction[];
  readonly gate: DialGate;
  readonly erasing: ErasureStepsDeps;
  readonly stopping: AbortController;
  readonly stopDialing: AbortSignal;
};

/** Starts what goes on by itself: the read models at once, whatever can lead to a dial when the gate opens. */
function runEverything(
  { config, stores, logger, crashPoints, closing }: Surroundings,
  { work, engine, readModels, aside, reactions, gate, erasing, stopping, stopDialing }: Running,
): void {
  const { signal } = stopping;
  const { eventStore, codec } = stores;
  const deps = { ...work, eventStore, codec, clock: systemClock, logger, crashPoints, isTransient };
  const goingOn = [readModels.run(signal), aside.run(signal)];
  void gate.opened.then(() => {
    if (signal.aborted || stopDialing.aborted) return;
    goingOn.push(engine.run(signal), runErasures(erasing, signal));
    if (config.role === "api") return;
    const all = [...engine.reactions, erasuresReaction(erasing)];
    reactions.push(...all.map((reaction) => runReaction(deps, reaction, signal)));
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

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
