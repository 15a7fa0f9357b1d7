import { createCarrierEventSink } from "../../application/call/carrier-events.ts";
import { createDamagedEvents } from "../../application/call/reactions/damaged-events.ts";
import type { EngineDeps } from "../../application/engine.ts";
import { createFeed } from "../../application/log/feed.ts";
import type { Caller } from "../../application/outcome.ts";
import type { Carrier } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { EventStore, StoredEvent } from "../../application/ports/event-store.ts";
import { READ_FIRST } from "../../application/restore/reading-gate.ts";
import { DEFAULT_ASSISTANT } from "../../application/settings.ts";
import { composeEngine } from "../../composition/compose-engine.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import type { AssistantId, OwnerId, PhoneNumberId } from "../../domain/shared/ids.ts";
import { DEFAULT_KINDS } from "../../domain/webhook/kinds.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { decodeStored, readableTypes } from "../../infrastructure/log/event-reader.ts";
import { createMemoryDatabase } from "../../infrastructure/log/memory/database.ts";
import { storedTypes } from "../../infrastructure/log/stored/stored-types.ts";
import { inTurns } from "../../simulation/campaigns/in-turns.ts";
import { seededRandom } from "../../simulation/campaigns/seeded-random.ts";
import { createSimulatedIds } from "../../simulation/campaigns/simulated-ids.ts";
import { createVirtualClock } from "../../simulation/campaigns/virtual-clock.ts";
import type { CrashPoints } from "../../simulation/crash-points/crash-points.ts";
import {
  crashingCarriers,
  crashingEngineStores,
  crashingEventStore,
} from "../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../simulation/crash-points/with-crash-points.ts";
import { createMemoryAdmission } from "../../simulation/memory/admission.ts";
import {
  createMemoryAnalyses,
  createMemoryAnalysisSettings,
} from "../../simulation/memory/analyses/analyses.ts";
import { createMemoryCampaignCommandQueue } from "../../simulation/memory/campaign-command-queue.ts";
import { createMemoryCheckpoints } from "../../simulation/memory/checkpoints.ts";
import { createMemoryDirectory } from "../../simulation/memory/directory.ts";
import { createMemoryImports } from "../../simulation/memory/imports.ts";
import { createMemoryLeases } from "../../simulation/memory/leases.ts";
import { createMemoryPinnedConversations } from "../../simulation/memory/pinned-conversations.ts";
import { type AnswerOf, createMemoryPolicies, memoryEligibility } from "../../simulation/memory/policies.ts";
import { silentMetrics } from "../../simulation/memory/silent.ts";
import { createMemorySubjectKeys } from "../../simulation/memory/subject-keys.ts";
import { createMemoryLists } from "../../simulation/memory/suppressions/lists.ts";
import { memoryOptOuts } from "../../simulation/memory/suppressions/opt-outs.ts";
import { memoryListState } from "../../simulation/memory/suppressions/suppression-list.ts";
import {
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../simulation/memory/webhook-outbox.ts";
import { memoryLog } from "../support/memory-log.ts";
import { oneCarrier } from "../support/one-carrier.ts";

const TYPES = readableTypes(storedTypes);

export const OWNER: OwnerId = "usr_1";
export const PHONE_NUMBER: PhoneNumberId = "pn_1";
export const ASSISTANT: AssistantId = "ast_1";
export const CALLER: Caller = { owner: OWNER, actor: "key_1", correlationId: "req_1" };

/** Accepts every call after 100 ms, and says nothing else by itself. */
export const QUIET_CARRIER: Omit<Carrier, "placeCall"> = {
  kind: "simulated",
  can: {
    dialOnceForMillis: 60_000,
    answersMachineVerdict: true,
    records: true,
    resumes: true,
    callsPerSecond: null,
  },
  instance: async () => "here",
  recording: async () => ({ kind: "absent" }),
  deleteRecording: async () => "done",
  hangUp: async () => "done",
  lookup: async () => ({ kind: "unavailable", cause: "quiet" }),
  callsSince: async () => ({ kind: "no_witness" }),
  available: async () => true,
  refuses: async () => null,
};

export type WorldOptions = {
  readonly placeCall?: Carrier["placeCall"];
  /** In place of the one quiet carrier. */
  readonly carriers?: Carriers;
  readonly lookup?: Carrier["lookup"];
  readonly assistantCheck?: EngineDeps["assistantCheck"];
  /** Whoever is asked before a dial; default: allows all of them. */
  readonly answerOf?: AnswerOf;
  readonly planConcurrentCalls?: number;
  readonly credits?: number;
  readonly wrapStore?: (store: EventStore) => EventStore;
  readonly crashPoints?: CrashPoints;
  readonly progress?: EngineDeps["progress"];
  readonly tokensOfDay?: EngineDeps["tokensOfDay"];
  readonly analysisModels?: EngineDeps["analysisModels"];
};

/** The stores that several processes of one test share. */
export function sharedStores({
  planConcurrentCalls = 10,
  credits = 100,
  answerOf = () => ({ kind: "allowed" }),
}: WorldOptions = {}) {
  const clock = createVirtualClock(Date.parse("2026-09-01T10:00:00.000Z"), seededRandom(1));
  const directory = createMemoryDirectory();
  directory.setOwner(OWNER, {
    active: true,
    plan: { maxConcurrentCalls: planConcurrentCalls, maxCallsPerSecond: 10 },
  });
  directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: true });
  directory.publish(OWNER, {
    assistantId: ASSISTANT,
    version: 1,
    name: "Ada",
    greetingMessage: "Hello {{name}}",
    systemPrompt: "Be brief.",
    ...DEFAULT_ASSISTANT,
    maxDurationSeconds: 60,
  });
  const keys = createMemorySubjectKeys({ drawMissing: true });
  const policies = createMemoryPolicies();
  const lists = createMemoryLists();
  const admission = createMemoryAdmission({
    ...{ clock, keys, owner: directory.ownerNow },
    ...{ policy: policies.now, lists: lists.now },
  });
  void admission.topUp(OWNER, creditsToUnits(credits), "first");
  const outbox = memoryOutboxState();
  putMemoryEndpoint(
    outbox,
    OWNER,
    {
      url: "http://127.0.0.1:9/",
      inUse: true,
      events: DEFAULT_KINDS,
      secrets: { current: "whsec_x", previous: null },
    },
    clock.nowMillis(),
  );
  return {
    clock,
    directory,
    policies,
    eligibility: memoryEligibility(answerOf),
    keys,
    admission,
    outbox,
    database: createMemoryDatabase(),
    ids: createSimulatedIds(),
    pinnedConversations: createMemoryPinnedConversations(),
    leases: createMemoryLeases(clock),
    analyses: createMemoryAnalyses(),
    analysisSettings: createMemoryAnalysisSettings(),
    analysisTokens: { add: async () => undefined },
    commandQueue: createMemoryCampaignCommandQueue(clock),
    imports: createMemoryImports(keys),
    checkpoints: createMemoryCheckpoints(),
    lists,
    doNotCall: memoryListState(),
  };
}

export type Stores = ReturnType<typeof sharedStores>;

/** One process of the engine over these stores; `until` lets virtual time pass until a promise is settled. */
export function engineProcess(
  stores: Stores,
  options: WorldOptions & {
    readonly processId?: string;
    readonly works?: boolean;
    readonly requireOpen?: () => void;
    readonly dialsNobody?: () => string | null;
  } = {},
) {
  const stopDialing = new AbortController();
  const { clock, ids } = stores;
  const stop = new AbortController();
  const withCrashPoints = withCrashPointsAt(options.crashPoints ?? null);
  const { aggregates, ...base } = memoryLog({
    ...stores,
    codec: createEventCodec(stores.keys),
    wrap: (store) => withCrashPoints(options.wrapStore?.(store) ?? store, crashingEventStore),
  });
  const outbox = memoryOutbox(stores.outbox, { clock, ids, onQueued: () => undefined });
  const optOuts = memoryOptOuts({ ...stores, state: stores.doNotCall, outbox });
  const parkDamaged = createDamagedEvents({ ...stores, ...base, optOuts, isTransient: () => false });
  const feed = createFeed({ ...base, metrics: silentMetrics, parkDamaged });
  const placed: string[] = [];
  const placeCall: Carrier["placeCall"] =
    options.placeCall ??
    (async ({ callId }) => {
      placed.push(callId);
      await clock.sleep(100);
      return { kind: "accepted", carrierRef: `ref-${callId}` };
    });
  const settings = {
    pricePerMinute: creditsToUnits(1),
    processId: options.processId ?? "one",
    leaseMillis: 10_000,
    longestWaitMillis: 15_000,
  };
  const crashing = withCrashPoints({ ...stores, outbox, optOuts }, crashingEngineStores);
  const hungUp: string[] = [];
  const telephony: Carrier = {
    ...QUIET_CARRIER,
    hangUp: async (call) => {
      hungUp.push(call.callId);
      return QUIET_CARRIER.hangUp(call);
    },
    lookup: options.lookup ?? QUIET_CARRIER.lookup,
    placeCall,
  };
  const carriers = withCrashPoints(options.carriers ?? oneCarrier(telephony), crashingCarriers);
  const engine = composeEngine(
    {
      ...crashing,
      ...base,
      aggregates,
      feed,
      isTransient: () => true,
      carriers,
      settings,
      publicUrl: () => "http://127.0.0.1:3000",
      ...(options.assistantCheck === undefined ? {} : { assistantCheck: options.assistantCheck }),
      ...(options.progress === undefined ? {} : { progress: options.progress }),
      ...(options.tokensOfDay === undefined ? {} : { tokensOfDay: options.tokensOfDay }),
      ...(options.analysisModels === undefined ? {} : { analysisModels: options.analysisModels }),
    },
    {
      works: options.works ?? true,
      stopDialing: stopDialing.signal,
      ...(options.requireOpen === undefined ? {} : { requireOpen: options.requireOpen }),
      ...(options.dialsNobody === undefined ? {} : { dialsNobody: options.dialsNobody }),
    },
  );
  void engine.run(stop.signal);
  engine.react(stop.signal);
  for (const name of READ_FIRST) engine.reactFirst(name, stop.signal);
  return {
    useCases: engine.useCases,
    allHandedOver: engine.allHandedOver,
    processors: engine.processors,
    connections: engine.connections,
    aggregates,
    log: base,
    optOuts,
    sink: createCarrierEventSink({ ...base, calls: aggregates.calls, carriers }),
    placed,
    /** Calls that the carrier was asked to end, once for each asking. */
    hungUp,
    stopDialing: () => stopDialing.abort(),
    stop: () => stop.abort(),
  };
}

/** Events as they stand in the log, with their words. */
export function openEvents({ keys, database }: Stores, stream?: string): readonly StoredEvent[] {
  const events = stream === undefined ? database.events : (database.streams.get(stream)?.events ?? []);
  return events.map((stored) => {
    const decoded = decodeStored(TYPES, stored, keys.all);
    if (decoded.kind !== "event") throw new Error(`${stored.type} cannot be read`);
    return { ...stored, ...createEventCodec(keys).asJson(decoded.recorded.event) };
  });
}

/** Lets virtual time pass until the work is done. */
export async function until<T>(stores: Stores, work: Promise<T>): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  work.then(mark, mark);
  await inTurns(() => (settled || !stores.clock.advance() ? true : undefined));
  return work;
}

/** Lets so much virtual time pass. */
export function pass(stores: Stores, millis: number): Promise<void> {
  return until(stores, stores.clock.sleep(millis));
}

export function typesOf(stores: Stores, stream: string): readonly string[] {
  return (stores.database.streams.get(stream)?.events ?? []).map(({ type }) => type);
}
