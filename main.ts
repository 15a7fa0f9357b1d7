import { buildServer } from "./api/server.ts";
import type { Engine } from "./application/engine.ts";
import { isEventStoreFailure } from "./application/ports/event-store.ts";
import type { Logger } from "./application/ports/logger.ts";
import { rangeReplay } from "./application/process-managers/webhook-publishing/range-replay.ts";
import { tellProcessors } from "./application/reactions/processor-status.ts";
import { type RunningReaction, runReaction } from "./application/reactions/reaction.ts";
import { systemClock } from "./infrastructure/clock.ts";
import type { Config } from "./infrastructure/config.ts";
import { crashPointsOf } from "./infrastructure/crash-points.ts";
import type { DialGate } from "./infrastructure/dial-gate.ts";
import { systemIds } from "./infrastructure/ids.ts";
import { createLogger } from "./infrastructure/logger.ts";
import { createMetrics } from "./infrastructure/metrics.ts";
import { giveSignsOfLife } from "./infrastructure/postgres/alive.ts";
import { isRetryableDatabaseError } from "./infrastructure/postgres/database-error.ts";
import { keepHouse } from "./infrastructure/postgres/housekeeping.ts";
import { simulatedRecording } from "./infrastructure/telephony/simulator/recording.ts";
import { openStores } from "./programs/open-stores.ts";
import { openDialGate, openEngine } from "./programs/service/open-engine.ts";
import { openReadModels } from "./programs/service/open-read-models.ts";
import { openWork, type Work } from "./programs/service/open-work.ts";
import { readinessChecks, readModelProcessors } from "./programs/service/readiness.ts";
import type { Closing, Surroundings } from "./programs/service/surroundings.ts";
import type { ReadModels } from "./projections/read-models.ts";

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
  const closing: Closing = [];
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

async function composeInto(config: Config, logger: Logger, closing: Closing): Promise<Omit<Service, "stop">> {
  const { metrics, metricsText } = createMetrics();
  const crashPoints = crashPointsOf(config.crashAt);
  const stores = await openStores(config, logger, "service");
  closing.push(stores.close);
  const surroundings: Surroundings = { config, stores, logger, metrics, crashPoints, closing };
  const work = await openWork(surroundings);
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const gate = await openDialGate(surroundings, work, stopping.signal);
  let url = ""; // known once it listens; nothing that asks for it goes on before
  const publicUrl = () => config.publicUrl ?? url;
  const { engine, callbacks, announce } = await openEngine(surroundings, work, gate, publicUrl);
  const { readModels, queries } = openReadModels(surroundings, work, publicUrl);
  const reactions: RunningReaction[] = [];
  const processors = () => [engine.runnerStatus(), ...reactions.map(({ status }) => status())];
  const server = await buildServer({
    ...work,
    webhooks: {
      ...work.webhooks,
      replayRange: rangeReplay({
        ...stores,
        ...work,
        calls: queries.calls,
        clock: systemClock,
        ids: systemIds,
        publicUrl,
      }),
    },
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
  runEverything(surroundings, { work, engine, readModels, reactions, gate, stopping });
  keepAlive(surroundings, gate);
  closing.push(() => server.close());
  announce(url);
  const firstKey = await work.configuration.users.firstRun({
    userId: systemIds.next("usr"),
    apiKeyId: systemIds.next("key"),
    bootstrapKey: config.bootstrapApiKey,
  });
  return { url, firstKey: config.bootstrapApiKey === null ? (firstKey?.key ?? null) : null };
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
  /** Filled when the gate opens. */
  readonly reactions: RunningReaction[];
  readonly gate: DialGate;
  readonly stopping: AbortController;
};

/** Starts what goes on by itself: the read models at once, whatever can lead to a dial when the gate opens. */
function runEverything(
  { config, stores, logger, crashPoints, closing }: Surroundings,
  { work, engine, readModels, reactions, gate, stopping }: Running,
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

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
