import { createAggregates } from "../../application/aggregates.ts";
import { createEngine } from "../../application/engine.ts";
import { START } from "../../application/ports/event-store.ts";
import { createCarrierEventSink } from "../../application/process-managers/carrier-events.ts";
import {
  DEFAULT_LEASE_MILLIS,
  DEFAULT_LONGEST_WAIT_MILLIS,
  type EngineSettings,
} from "../../application/settings.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import type { Config } from "../../infrastructure/config.ts";
import { createDialGate, type DialGate, gatedTelephony, openGate } from "../../infrastructure/dial-gate.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { openTelephony } from "../../infrastructure/telephony/open-telephony.ts";
import type { Work } from "./open-work.ts";
import { processName } from "./process-name.ts";
import type { Surroundings } from "./surroundings.ts";

/** How long a start waits for a gate that is about to open. */
const GATE_PATIENCE_MILLIS = 2_000;

/** The engine with its carrier, which dials nobody any more when `stopDialing` aborts; `callbacks`: where the carrier tells what happens, `announce`: tells a simulated one where that is. */
export async function openEngine(
  { config, stores, logger, crashPoints, closing }: Surroundings,
  work: Work,
  gate: DialGate,
  publicUrl: () => string,
  stopDialing: AbortSignal,
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
    { works: config.role !== "api", requireOpen: gate.requireOpen, stopDialing },
  );
  return { engine, callbacks, announce };
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

/** With the log in a database of its own the two can be restored to different moments. */
export async function openDialGate(
  { config, stores, logger }: Surroundings,
  { checkpoints }: Work,
  stop: AbortSignal,
): Promise<DialGate> {
  const { database, eventStore } = stores;
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
