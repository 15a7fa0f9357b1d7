import { createCarrierEventSink } from "../../application/call/carrier-events.ts";
import { createAggregates } from "../../application/log/aggregates.ts";
import { createFeed } from "../../application/log/feed.ts";
import type { Reaction } from "../../application/log/reaction.ts";
import type { Caller } from "../../application/outcome.ts";
import type { CarrierEvent, CarrierEventSink } from "../../application/ports/carrier.ts";
import { isEventStoreFailure, START } from "../../application/ports/event-store.ts";
import { openGate } from "../../application/restore/dial-gate.ts";
import { READ_FIRST, withReadings } from "../../application/restore/reading-gate.ts";
import { takeOff } from "../../application/suppression/take-off.ts";
import type { UseCases } from "../../application/use-cases.ts";
import { type DeliveryLoop, deliveryLoop } from "../../application/webhook/delivery/delivery-loop.ts";
import { composeEngine } from "../../composition/compose-engine.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { createMemoryEventStore } from "../../infrastructure/log/memory/event-store.ts";
import { attemptSender } from "../../infrastructure/webhook/delivery/attempt.ts";
import { memoryDeliveryStore } from "../memory/delivery-store.ts";
import { memoryEligibility } from "../memory/policies.ts";
import { silentMetrics } from "../memory/silent.ts";
import { memoryOptOuts } from "../memory/suppressions/opt-outs.ts";
import { memorySuppressions } from "../memory/suppressions/suppression-list.ts";
import { memoryOutbox } from "../memory/webhook-outbox.ts";
import { createGate, type Gate, type Life, type Reaper } from "./gate.ts";
import {
  gatedAdmission,
  gatedAnalyses,
  gatedCheckpoints,
  gatedCommandQueue,
  gatedDeliveryStore,
  gatedDirectory,
  gatedEligibility,
  gatedEventStore,
  gatedImports,
  gatedLeases,
  gatedLists,
  gatedOptOuts,
  gatedOutbox,
  gatedPinnedConversations,
  gatedPolicies,
  gatedTakeOff,
  gatedTelephony,
} from "./gated-ports.ts";
import { hearsCallbacks } from "./hears-callbacks.ts";
import type { Shared } from "./shared-world.ts";
import { carriersOf } from "./two-carriers.ts";

const NOBODY_ASKS = memoryEligibility(() => ({ kind: "allowed" }));
/**
 * Waits without a wake-up are as long as a run: the virtual clock wakes sleepers when the wall clock jumps.
 */
const WEEK = 7 * 24 * 3_600_000;

export type SimulatedProcess = {
  readonly life: Life;
  readonly useCases: UseCases;
  /** DELETE /suppressions/:phoneNumber; it waits until this process may append. */
  readonly takeOff: (caller: Caller, phoneNumber: PhoneNumber) => Promise<boolean>;
  readonly sink: CarrierEventSink;
  /** Agrees what who is called asks for, once their words are durable. */
  readonly hears: (event: CarrierEvent) => Promise<void>;
  readonly die: () => void;
};

/**
 * The whole engine of one process, over the stores that all processes share; the reaper
 * decides where it dies.
 */
export function startProcess(
  shared: Shared,
  life: Life,
  reaper: Reaper,
  mayLook: () => boolean,
): SimulatedProcess {
  const stop = new AbortController();
  const store = createMemoryEventStore(shared.clock, shared.database);
  const die = () => {
    if (!life.alive) return;
    life.alive = false;
    stop.abort("died");
    // A subscription that nobody ends would keep the whole world in memory.
    void store.close();
  };
  const dies: Reaper = (who, name, when) => {
    shared.reached(`${when} ${name}`);
    shared.trace(() => `${who.name} ${when} ${name}`);
    if (!reaper(who, name, when)) return false;
    shared.trace(() => `${who.name} DIES ${when} ${name}`);
    die();
    return true;
  };
  const gate = createGate(life, dies, mayLook);
  const { mutants } = shared;
  const clock = shared.clock.forProcess(() => !life.alive);
  const eventStore = gatedEventStore(mutants.eventStore(store, shared), gate);
  const ids = mutants.ids(shared.ids);
  const base = { eventStore, codec: shared.codec, ids, clock, logger: shared.logger };
  const aggregates = createAggregates(base, mutants.deciders);
  const checkpoints = gatedCheckpoints(shared.checkpoints, gate);
  const feed = createFeed({ ...base, metrics: silentMetrics, parkDamaged: async () => undefined });
  const admission = gatedAdmission(mutants.admission(shared.admission), gate);
  const deliveries = deliveriesOf(shared, life, gate);
  deliveries?.start();
  const carriers = mutants.carriers(
    carriersOf(shared.carriers, (carrier) => gatedTelephony(mutants.telephony(carrier), gate)),
  );
  const outbox = memoryOutbox(shared.outbox, {
    clock: shared.clock,
    ids: shared.ids,
    onQueued: (owners) => deliveries?.wake(owners),
  });
  const { lists: state, directory } = shared;
  const lists = { ...base, state, directory, outbox };
  const optOuts = gatedOptOuts(mutants.optOuts(memoryOptOuts(lists), shared), gate);
  const pinnedConversations = gatedPinnedConversations(shared.pinnedConversations, gate);
  const engine = composeEngine(
    {
      ...base,
      aggregates,
      feed,
      admission,
      directory: gatedDirectory(mutants.directory(shared.directory), gate),
      pinnedConversations,
      leases: gatedLeases(shared.leases, gate),
      commandQueue: gatedCommandQueue(shared.commandQueue, gate),
      imports: gatedImports(shared.imports, gate),
      checkpoints,
      isTransient: (error) => isEventStoreFailure(error, "unavailable"),
      outbox: gatedOutbox(outbox, gate),
      optOuts,
      policies: gatedPolicies(mutants.policies(shared.policies), gate),
      eligibility: gatedEligibility(mutants.eligibility(shared.address ?? NOBODY_ASKS), gate),
      lists: gatedLists(shared.suppressionLists, gate),
      analyses: gatedAnalyses(shared.analyses, gate),
      analysisSettings: shared.analysisSettings,
      analysisTokens: { add: () => gate.effect("count tokens", async () => undefined) },
      ...(shared.analysisModels === null ? {} : { analysisModels: shared.analysisModels.models }),
      carriers,
      publicUrl: () => "http://127.0.0.1:3000",
      settings: {
        pricePerMinute: creditsToUnits(1),
        processId: life.name,
        leaseMillis: shared.leaseMillis,
        longestWaitMillis: WEEK,
      },
    },
    { works: true },
  );
  const react = (reactions: readonly Reaction[]) =>
    engine.react(
      stop.signal,
      reactions.map((reaction) => mutants.reaction(reaction, shared)),
    );
  const dialGate = withReadings(openGate, { ...base, optOuts, stop: stop.signal });
  for (const name of READ_FIRST) {
    dialGate.follow(name, () => {
      const [running] = react([engine.readFirst[name]]);
      return () => running?.status().position ?? START;
    });
  }
  void dialGate.opened.then(() => engine.run(stop.signal));
  react(engine.reactions);
  return {
    life,
    useCases: engine.useCases,
    takeOff: async (caller, phoneNumber) => {
      await dialGate.opened;
      const suppressions = gatedTakeOff(memorySuppressions(lists), gate);
      const { requireOpen } = dialGate;
      return takeOff(
        { ...base, calls: aggregates.calls, optOuts, suppressions, requireOpen },
        caller,
        phoneNumber,
      );
    },
    sink: createCarrierEventSink({ ...base, calls: aggregates.calls, carriers }),
    hears: hearsCallbacks({ ...base, aggregates, pinnedConversations }),
    die,
  };
}

/** null: nothing is delivered in this run. */
function deliveriesOf(shared: Shared, life: Life, gate: Gate): DeliveryLoop | null {
  const { receiver, outbox, clock, random, logger, mutants } = shared;
  if (receiver === null) return null;
  return deliveryLoop({
    store: gatedDeliveryStore(mutants.deliveryStore(memoryDeliveryStore(outbox, clock)), gate),
    sendAttempt: attemptSender({
      send: (request) => gate.effect("send webhook", () => receiver.send(request)),
    }),
    clock: clock.forProcess(() => !life.alive),
    random: random.fraction,
    logger,
    metrics: silentMetrics,
    worker: life.name,
  });
}
