import type { Engine } from "../application/engine.ts";
import type { RunningReaction } from "../application/log/reaction.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import { withPastDials } from "../application/restore/past-dials.ts";
import { withReadings } from "../application/restore/reading-gate.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { type Config, warningsOf } from "../infrastructure/config.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { countedEventStore } from "../infrastructure/log/counted-event-store.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { createMetrics } from "../infrastructure/metrics.ts";
import { guardKeys, withKeys } from "../infrastructure/personal-data/key-guard.ts";
import { type Adapters, openAdapters } from "./open-adapters.ts";
import { type CarrierLine, openCarrierLine } from "./open-carriers.ts";
import { holdConversations } from "./open-conversations.ts";
import { openDialGate, openEngine } from "./open-engine.ts";
import { openReadModels } from "./open-read-models.ts";
import { openRecordings } from "./open-recordings.ts";
import { openRehearsals } from "./open-rehearsals.ts";
import { type OpenServer, openServer } from "./open-server.ts";
import { openStores } from "./open-stores.ts";
import { keepAlive, readFirst, runEverything } from "./run-everything.ts";
import { type Closing, openCrashPoints, type ServiceContext } from "./service-context.ts";

export type Service = {
  /** Its address. */
  readonly url: string;
  /** The first key of a new installation, shown only this once; null if there is one already. */
  readonly firstKey: string | null;
  /** The dashboard was built meanwhile, or could not be, for this reason. */
  dashboardBuilt(problem: string | null): void;
  /**
   * Stops dialling at once, accepts nothing new, finishes requests in progress within 10 s, and closes the
   * stores. A repeat changes nothing.
   */
  stop(): Promise<void>;
};

/**
 * Composes the service of one process from its configuration: the only place where all layers meet. If a
 * store, a port or the data directory is not available, it rejects with one clear line and leaves nothing
 * running. `stop`: from then on nobody is dialled, also during the start; the start is finished all the same,
 * and waits for `Service.stop`.
 */
export async function compose(config: Config, stop?: AbortSignal): Promise<Service> {
  const logger = createLogger(config.logLevel);
  const closing: Closing = [];
  const stopDialing = new AbortController();
  const dialsNobody = AbortSignal.any([stopDialing.signal, ...(stop === undefined ? [] : [stop])]);
  const stopService = once(async () => {
    logger.info({}, "stopping");
    stopDialing.abort();
    for (const close of closing.toReversed()) await close();
    logger.info({}, "stopped");
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
  const context = await openContext(config, logger, measured.metrics, closing);
  for (const warning of warningsOf(config)) logger.warn({}, warning);
  let url = ""; // known once it listens; nothing that needs it runs before
  const publicUrl = () => config.publicUrl?.replace(/\/+$/, "") ?? url;
  const parts = await openParts(context, stopDialing, publicUrl);
  const { adapters, engine, line, gate } = parts;
  await holdDefaultPlan(context, adapters);
  await readFirst(context, { ...parts, stopDialing });
  const { server, keyed, dashboardBuilt } = await openServer(context, parts, measured, publicUrl);
  url = await server.listen({ host: config.host, port: config.port });
  if (engine.conversations !== null) await holdConversations(context, adapters);
  runEverything(context, { ...parts, stopDialing });
  keepAlive(context, gate);
  closing.push(() => finishUnderWay(server.close, line, adapters, engine));
  logger.info({ url }, "the service listens");
  line.announce(url);
  const firstKey = await makeFirstKey(config, adapters).finally(keyed);
  return { url, dashboardBuilt, firstKey };
}

/** What all parts share; the event log has its counts and crash points. */
async function openContext(
  config: Config,
  logger: Logger,
  metrics: Metrics,
  closing: Closing,
): Promise<ServiceContext> {
  const withCrashPoints = await openCrashPoints(config.crashAt);
  const opened = await openStores(config, logger, "service");
  closing.push(opened.close);
  const eventStore = withCrashPoints(
    countedEventStore(opened.eventStore, metrics),
    (ports) => ports.crashingEventStore,
  );
  return { config, stores: { ...opened, eventStore }, logger, metrics, withCrashPoints, closing };
}

/** Everything behind the server, in the order in which one part needs another; nothing runs yet. */
async function openParts(context: ServiceContext, stopDialing: AbortSignal, publicUrl: () => string) {
  const { stores, logger, closing } = context;
  const adapters = await openAdapters(context);
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const line = await openCarrierLine(context, adapters, publicUrl);
  const keys = guardKeys({ pool: stores.database.pool, clock: systemClock, logger, stop: stopping.signal });
  const restoreGate = await openDialGate(context, adapters, line, stopDialing);
  await keys.looked;
  const reading = { ...adapters, ...stores, clock: systemClock, logger, stop: stopping.signal };
  const gate = withReadings(withPastDials(withKeys(restoreGate, keys), reading), reading);
  const dialsNobody = AbortSignal.any([stopDialing, keys.broken]);
  const engine = openEngine(context, adapters, line, gate, publicUrl, dialsNobody);
  if (engine.conversations !== null) line.conversations.open(engine.conversations);
  const { readModels, background, queries } = openReadModels(context, adapters, publicUrl);
  const recordings = openRecordings(context, adapters, line);
  const rehearsals = openRehearsals(
    context,
    adapters,
    () => engine.conversations?.connections() ?? new Set(),
  );
  const erasing = {
    ...adapters,
    calls: line.aggregates.calls,
    queries,
    eventStore: stores.eventStore,
    clock: systemClock,
    logger,
  };
  const reactions: RunningReaction[] = [];
  const { requireOpen } = restoreGate;
  return {
    ...{ adapters, line, engine, recordings, rehearsals, erasing, reactions, stopping },
    ...{ readModels, background, queries },
    ...{ gate, keys, requireOpen },
  };
}

/**
 * The key to be shown; null: none was made, or it is known. A worker makes none by itself: nobody reads its
 * output for it, and the process that serves users would have none to show.
 */
async function makeFirstKey(
  { role, bootstrapApiKey }: Config,
  { configuration }: Adapters,
): Promise<string | null> {
  if (role === "worker" && bootstrapApiKey === null) return null;
  const made = await configuration.users.firstRun({
    userId: systemIds.next("usr"),
    apiKeyId: systemIds.next("key"),
    bootstrapKey: bootstrapApiKey,
  });
  return bootstrapApiKey === null ? (made?.key ?? null) : null;
}

/** Before anybody is dialled, so that no call is judged by the plan of an earlier start. */
async function holdDefaultPlan({ config, logger }: ServiceContext, { configuration }: Adapters) {
  const changedOwners = await configuration.users.holdDefaultPlan();
  logger.info(
    { ...config.plan, changedOwners },
    `plan of owners that no operator gave one: ${config.plan.maxConcurrentCalls} calls at once, ${config.plan.maxCallsPerSecond} new calls a second`,
  );
}

const FINISH_MILLIS = 10_000;

/**
 * Work in progress at a stop: conversations, which another process continues, requests, webhook deliveries,
 * dials that are being sent. Nothing new is accepted meanwhile; the rest is cut after 10 s.
 */
async function finishUnderWay(
  closeServer: OpenServer["server"]["close"],
  line: CarrierLine,
  { deliveries }: Adapters,
  engine: Engine,
): Promise<void> {
  const cut = AbortSignal.timeout(FINISH_MILLIS);
  line.leave();
  const lastWords = [engine.allHandedOver(), engine.conversations?.allOver()];
  const handedOver = Promise.race([Promise.all(lastWords), systemClock.sleep(FINISH_MILLIS, cut)]);
  await Promise.all([closeServer(cut), deliveries.stop(FINISH_MILLIS), handedOver]);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
