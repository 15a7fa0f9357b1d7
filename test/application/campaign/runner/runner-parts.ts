import { createAssistantHealth } from "../../../../application/call/health/assistant-health.ts";
import { createCarrierHealth } from "../../../../application/call/health/carrier-health.ts";
import type { RecordedDial } from "../../../../application/campaign/runner/call-starts.ts";
import type { CampaignRun } from "../../../../application/campaign/runner/campaign-run.ts";
import {
  createEndedCalls,
  createHoldPace,
  createLeftOut,
} from "../../../../application/campaign/runner/policy-holds.ts";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { createStartLimit, type StartLimit } from "../../../../application/campaign/runner/start-limit.ts";
import { createKnownOptOuts } from "../../../../application/conversation/known-opt-outs.ts";
import { createGivenUp } from "../../../../application/given-up.ts";
import { createFeed } from "../../../../application/log/feed.ts";
import { createAsking } from "../../../../application/policy/asking.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { EventStore } from "../../../../application/ports/event-store.ts";
import { createRecentMap } from "../../../../application/recent-map.ts";
import { creditsToUnits } from "../../../../domain/shared/credits.ts";
import { createEventCodec } from "../../../../infrastructure/log/codec.ts";
import { memoryEligibility } from "../../../../simulation/memory/policies.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { oneCarrier } from "../../../support/one-carrier.ts";
import { OWNER, QUIET_CARRIER, sharedStores, type WorldOptions } from "../../engine-world.ts";

type Options = Pick<WorldOptions, "planConcurrentCalls" | "credits" | "wrapStore">;

/**
 * What the modules of a runner work with: stores in memory, and nothing that goes on by itself. A test says
 * what is different for it.
 */
export function runnerParts(
  differing: (deps: RunnerDeps) => Partial<RunnerDeps> = () => ({}),
  options: Options = {},
) {
  const stores = sharedStores(options);
  const log = memoryLog({
    ...stores,
    codec: createEventCodec(stores.keys),
    ...(options.wrapStore && { wrap: options.wrapStore }),
  });
  const base = { ...stores, ...log };
  const looksBy: string[] = [];
  const standard: RunnerDeps = {
    ...base,
    feed: createFeed({ ...base, metrics: silentMetrics, parkDamaged: async () => undefined }),
    settings: {
      pricePerMinute: creditsToUnits(1),
      processId: "one",
      leaseMillis: 10_000,
      longestWaitMillis: 15_000,
    },
    carriers: oneCarrier({ ...QUIET_CARRIER, placeCall: async () => missing("placeCall") }),
    carrierHealth: createCarrierHealth(),
    assistantHealth: createAssistantHealth(),
    asking: createAsking({ ...base, eligibility: memoryEligibility(() => ({ kind: "allowed" })) }),
    dialing: {
      store: async () => missing("dialing.store"),
      begin: async () => missing("dialing.begin"),
      stopped: new AbortController().signal,
      allHandedOver: async () => undefined,
      slowed: () => [],
    },
    hangUp: async () => undefined,
    texts: async () => null,
    conversations: async () => null,
    optOuts: createKnownOptOuts({ ...base, pinnedConversations: stores.pinnedConversations }),
    callbackSettings: async () => null,
    endedCalls: createEndedCalls(),
    holdPace: createHoldPace(stores.clock),
    startLimit: provenStartLimit(stores.clock),
    givenUp: createGivenUp(log.logger),
    wakeWatchdogBy: (at) => void looksBy.push(at),
  };
  return {
    stores,
    log: memoryLog(stores).eventStore,
    /** Warnings and errors. */
    said: log.said,
    /** When the watchdog was told to look at the latest. */
    looksBy,
    deps: { ...standard, ...differing(standard) },
    /** Writes events as another process would. */
    store: log.store,
  };
}

/** As after forty dials that began at once: 50 may be on their way before others wait. */
export function provenStartLimit(clock: Pick<Clock, "monotonicMillis">): StartLimit {
  const limit = createStartLimit(clock);
  for (let dials = 0; dials < 40; dials += 1) limit.began()();
  return limit;
}

function missing(what: string): never {
  throw new Error(`${what} is not there`);
}

/** What one owned campaign keeps in memory, and what was asked of it. */
export function runOf(
  stop: AbortSignal = new AbortController().signal,
  clock: Pick<Clock, "monotonicMillis"> = { monotonicMillis: () => 0 },
) {
  const begun: RecordedDial[] = [];
  const counted = { wakes: 0, starting: 0 };
  const run: CampaignRun = {
    campaignId: "cmp_1",
    owner: OWNER,
    stop,
    starts: {
      start: (recorded) => void begun.push(recorded),
      count: () => counted.starting,
      allBegun: async () => undefined,
    },
    callOwners: new Map(),
    hungUp: new Set(),
    wake: () => {
      counted.wakes += 1;
    },
    refusal: null,
    dueSince: null,
    oldestDueSince: null,
    metSuppressed: false,
    metPolicy: false,
    leftOut: createLeftOut(clock, createEndedCalls()),
    questions: createRecentMap(10),
    onlyListed: false,
    policyVersion: 0,
  };
  return { run, begun, counted };
}

/** Counts how often the log is read. */
export function countedReads() {
  const counted = { reads: 0 };
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    read: (...args) => {
      counted.reads += 1;
      return store.read(...args);
    },
  });
  return { counted, wrapStore };
}
