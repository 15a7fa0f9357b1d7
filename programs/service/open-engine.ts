import { createCarrierEventSink } from "../../application/call/carrier-events.ts";
import { createEngine, type Engine } from "../../application/engine.ts";
import { createAggregates } from "../../application/log/aggregates.ts";
import { eraseAgain } from "../../application/personal-data/erase-again.ts";
import type { Carrier } from "../../application/ports/carrier.ts";
import { START } from "../../application/ports/event-store.ts";
import { acceptRestored } from "../../application/restore/accept-restored.ts";
import {
  DEFAULT_LEASE_MILLIS,
  DEFAULT_LONGEST_WAIT_MILLIS,
  type EngineSettings,
} from "../../application/settings.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import { openTelephony } from "../../infrastructure/carriers/open-telephony.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import type { Config } from "../../infrastructure/config.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { acceptCallsUntil, readInstallation } from "../../infrastructure/postgres/installation.ts";
import {
  createDialGate,
  type DialGate,
  gatedTelephony,
  openGate,
} from "../../infrastructure/restore/dial-gate.ts";
import { lookForRestored, type Restored } from "../../infrastructure/restore/restore-guard.ts";
import { tokensOfDay } from "../../projections/calls/usage.ts";
import { createCampaignMoments } from "../../projections/history/campaign-moments.ts";
import { callStanding, createLateConversations } from "./open-conversations.ts";
import type { Work } from "./open-work.ts";
import { processName } from "./process-name.ts";
import type { Surroundings } from "./surroundings.ts";

/** A start waits so long for the gate to open after the first question to log and carrier has come to nothing. */
const GATE_PATIENCE_MILLIS = 2_000;
/** A start waits so long for the gate at the most, also while the carrier has not yet answered the first question. */
const SLOW_CARRIER_MILLIS = 10_000;

/** The carrier, and the aggregates that take what it tells. */
export type CarrierLine = Awaited<ReturnType<typeof openCarrierLine>>;

/** `callbacks`: where the carrier tells what happens, `announce`: tells a simulated one where that is. */
export async function openCarrierLine({
  config,
  stores,
  logger,
  metrics,
  crashPoints,
  closing,
}: Surroundings) {
  const { eventStore, codec, database } = stores;
  const shared = { eventStore, codec, ids: systemIds, clock: systemClock, crashPoints, logger };
  const aggregates = createAggregates(shared);
  const conversations = createLateConversations();
  const opening = Promise.withResolvers<Carrier>();
  const sink = createCarrierEventSink({
    ...shared,
    calls: aggregates.calls,
    telephony: { hangUp: async (call) => (await opening.promise).hangUp(call) },
  });
  const { id: installation } = await readInstallation(database.pool);
  const { stop, ...opened } = await openTelephony({
    ...shared,
    simulator: config.simulator,
    installation,
    dataDir: config.dataDir,
    metrics,
    sink,
    conversations,
    standingOf: callStanding(aggregates.calls),
  });
  opening.resolve(opened.telephony);
  closing.push(stop);
  return { ...opened, aggregates, sink, conversations };
}

/** The engine, which dials nobody any more when `stopDialing` aborts. */
export function openEngine(
  { config, stores, logger, metrics, crashPoints }: Surroundings,
  work: Work,
  { aggregates, telephony }: CarrierLine,
  gate: DialGate,
  publicUrl: () => string,
  stopDialing: AbortSignal,
): Engine {
  const { eventStore, codec } = stores;
  return createEngine(
    {
      ...work,
      eventStore,
      codec,
      campaignMoments: createCampaignMoments(stores),
      tokensOfDay: (owner, day) => tokensOfDay(stores.readDb, owner, day),
      ids: systemIds,
      clock: systemClock,
      crashPoints,
      logger,
      aggregates,
      telephony: gatedTelephony(telephony, gate),
      conversing: { ...work, metrics },
      settings: engineSettings(config),
      publicUrl,
    },
    {
      works: config.role !== "api",
      requireOpen: gate.requireOpen,
      dialsNobody: () => gate.state() === "shut" || gate.waitsFor() === "carrier",
      stopDialing,
    },
  );
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

/** Nobody is dialled before what was erased is erased, and before it is known that the stores are as they were left (or that somebody accepts what they are). `stop` ends asking, and the wait for it. */
export async function openDialGate(
  { config, stores, logger, crashPoints }: Surroundings,
  { checkpoints, erasures, journal }: Work,
  { telephony, aggregates: { calls: callAggregates, campaigns } }: CarrierLine,
  stop: AbortSignal,
): Promise<DialGate> {
  const { database, eventStore, codec } = stores;
  const { eventStoreUrl, dataDir, simulator } = config;
  const shared = { eventStore, codec, clock: systemClock, logger };
  const again = () =>
    eraseAgain({ ...shared, calls: callAggregates, erasures, journal, checkpoints, crashPoints });
  if (eventStoreUrl === null && simulator.url === null) {
    await again();
    return openGate;
  }
  const after = (await checkpoints.load("call-settlement"))?.position ?? START;
  const separateLog = eventStoreUrl === null ? null : { after };
  const { pool } = database;
  const gate = createDialGate({
    look: async () => {
      await again();
      return lookForRestored({ pool, eventStore, telephony, dataDir, separateLog });
    },
    accept: async ({ calls, until }: Restored) => {
      await acceptRestored({ ...shared, campaigns }, calls);
      if (until !== null) await acceptCallsUntil(pool, until);
    },
    acceptRestored: config.acceptRestored,
    clock: systemClock,
    logger,
    stop,
  });
  // Whoever writes as soon as the service listens is not to be refused for a gate that is about to open.
  const slow = separateLog === null ? gate.asked : Promise.resolve();
  const patience = slow.then(() => systemClock.sleep(GATE_PATIENCE_MILLIS, stop));
  await Promise.race([gate.decided, patience, systemClock.sleep(SLOW_CARRIER_MILLIS, stop)]);
  return gate;
}
