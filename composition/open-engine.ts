import { eraseAgain, fileKnowsMore } from "../application/personal-data/erase-again.ts";
import { START } from "../application/ports/event-store.ts";
import type { Restored } from "../application/ports/restore-guard.ts";
import { acceptRestored } from "../application/restore/accept-restored.ts";
import { createDialGate, type DialGate, gatedCarriers, openGate } from "../application/restore/dial-gate.ts";
import {
  DEFAULT_LEASE_MILLIS,
  DEFAULT_LONGEST_WAIT_MILLIS,
  type EngineSettings,
} from "../application/settings.ts";
import { creditsToUnits } from "../domain/shared/credits.ts";
import { systemClock } from "../infrastructure/clock.ts";
import type { Config } from "../infrastructure/config.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { acceptLostKeys } from "../infrastructure/personal-data/accept-lost-keys.ts";
import { acceptCallsUntil } from "../infrastructure/postgres/installation.ts";
import { createRestoreGuard } from "../infrastructure/restore/restore-guard.ts";
import { type ComposedEngine, composeEngine } from "./compose-engine.ts";
import { type Adapters, isTransient } from "./open-adapters.ts";
import type { CarrierLine } from "./open-carriers.ts";
import { processName } from "./process-name.ts";
import type { ServiceContext } from "./service-context.ts";

/** How long a start waits for the gate after the first check of log and carrier had no result. */
const GATE_PATIENCE_MILLIS = 2_000;
/** How long a start waits for the gate at most, also if the carrier has not answered the first check. */
const SLOW_CARRIER_MILLIS = 10_000;

const ERASED_LOOK_MILLIS = 250;

/** The engine; after `stopDialing` aborts it dials nobody any more. */
export function openEngine(
  { config, stores, logger, metrics }: ServiceContext,
  adapters: Adapters,
  { aggregates, carriers }: CarrierLine,
  gate: DialGate,
  publicUrl: () => string,
  stopDialing: AbortSignal,
): ComposedEngine {
  const { eventStore, codec } = stores;
  return composeEngine(
    {
      ...adapters,
      eventStore,
      codec,
      isTransient,
      ids: systemIds,
      clock: systemClock,
      logger,
      aggregates,
      carriers: gatedCarriers(carriers, gate),
      conversing: { ...adapters, metrics },
      settings: engineSettings(config),
      publicUrl,
    },
    {
      works: config.role !== "api",
      requireOpen: gate.requireOpen,
      isClosed: (key) => gate.closed().includes(key),
      dialsNobody: () => (gate.state() === "shut" || gate.waitsFor() === "carrier" ? gate.whyClosed() : null),
      stopDialing,
    },
  );
}

function engineSettings(config: Config): EngineSettings {
  return {
    pricePerMinute: creditsToUnits(config.creditPricePerMinute),
    processId: processName(config),
    leaseMillis: DEFAULT_LEASE_MILLIS,
    longestWaitMillis: DEFAULT_LONGEST_WAIT_MILLIS,
  };
}

/**
 * Nobody is dialled before erased texts are erased (again), and before it is known that the stores were not
 * restored (or an operator accepted it). `stop` ends the checks, and the wait for them.
 */
export async function openDialGate(
  { config, stores, logger }: ServiceContext,
  { checkpoints, erasures, shownWords, journal, recordings, files, pastDials, policies }: Adapters,
  { carriers, aggregates: { calls: callAggregates, campaigns } }: CarrierLine,
  stop: AbortSignal,
): Promise<DialGate> {
  const { database, eventStore, codec } = stores;
  const { eventStoreUrl, dataDir, simulator } = config;
  const routes = await carriers.every();
  const isInside = config.carrier === "simulated" && simulator.url === null;
  const shared = { eventStore, codec, clock: systemClock, logger };
  const texts = { calls: callAggregates, campaigns, erasures, shownWords, journal, recordings, files };
  const again = () => eraseAgain({ ...shared, ...texts, checkpoints });
  if (eventStoreUrl === null && isInside && routes.length === 1) {
    await again();
    return openGate;
  }
  const after = (await checkpoints.load("call-settlement"))?.position ?? START;
  const separateLog = eventStoreUrl === null ? null : { after };
  const { pool } = database;
  let isErased = false;
  const { promise: erased, resolve: erasedOnce } = Promise.withResolvers<void>();
  const guard = createRestoreGuard({ ...shared, pool, carriers, dataDir, separateLog });
  const gate = createDialGate({
    look: async () => {
      await again();
      isErased = true;
      erasedOnce();
      return guard.look();
    },
    lookAgain: guard.lookAgain,
    accept: async ({ calls, until }: Restored) => {
      await acceptLostKeys({ pool, eventStore, logger });
      await acceptRestored({ ...shared, campaigns, policies }, calls);
      await pastDials.readAgain();
      if (until !== null) await acceptCallsUntil(pool, until);
      await guard.accepted();
    },
    acceptRestored: config.acceptRestored,
    clock: systemClock,
    logger,
    stop,
  });
  // Texts that a restore has brought back must not be readable. An unavailable log is not awaited, unless
  // the file has erasures.
  await Promise.race([erased, gate.asked, systemClock.sleep(SLOW_CARRIER_MILLIS, stop)]);
  while (!isErased && !stop.aborted && (await fileKnowsMore({ erasures, journal })))
    await systemClock.sleep(ERASED_LOOK_MILLIS, stop);
  await decidedSoon(gate, separateLog === null ? gate.asked : Promise.resolve(), stop);
  return gate;
}

/**
 * Clients that write right after the start should not be refused because of a gate that is about to open. The
 * patience begins with `from`.
 */
async function decidedSoon(gate: DialGate, from: Promise<void>, stop: AbortSignal): Promise<void> {
  const patience = from.then(() => systemClock.sleep(GATE_PATIENCE_MILLIS, stop));
  await Promise.race([gate.decided, patience, systemClock.sleep(SLOW_CARRIER_MILLIS, stop)]);
}
