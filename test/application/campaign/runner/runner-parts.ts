import { createAssistantHealth } from "../../../../application/call/health/assistant-health.ts";
import { createCarrierHealth } from "../../../../application/call/health/carrier-health.ts";
import type { RecordedDial } from "../../../../application/campaign/runner/call-starts.ts";
import type { CampaignRun } from "../../../../application/campaign/runner/campaign-run.ts";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { createGivenUp } from "../../../../application/given-up.ts";
import { createAggregates } from "../../../../application/log/aggregates.ts";
import { createFeed } from "../../../../application/log/feed.ts";
import type { EventStore } from "../../../../application/ports/event-store.ts";
import type { LogFields } from "../../../../application/ports/logger.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import { creditsToUnits } from "../../../../domain/shared/credits.ts";
import { createEventCodec } from "../../../../infrastructure/log/codec.ts";
import { createMemoryEventStore } from "../../../../simulation/memory/event-store.ts";
import { silentLogger, silentMetrics } from "../../../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../../../simulation/memory/subject-keys.ts";
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
  const codec = createEventCodec(stores.keys);
  const log = createMemoryEventStore(stores.clock, stores.database);
  const eventStore = options.wrapStore?.(log) ?? log;
  const said: [level: "warn" | "error", message: string, fields: LogFields][] = [];
  const logger = {
    ...silentLogger,
    warn: (fields: LogFields, message: string) => void said.push(["warn", message, fields]),
    error: (fields: LogFields, message: string) => void said.push(["error", message, fields]),
  };
  const base = { ...stores, eventStore, codec, logger };
  const looksBy: string[] = [];
  const standard: RunnerDeps = {
    ...base,
    aggregates: createAggregates(base),
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
    givenUp: createGivenUp(logger),
    wakeWatchdogBy: (at) => void looksBy.push(at),
  };
  return {
    stores,
    log,
    /** Warnings and errors. */
    said,
    /** When the watchdog was told to look at the latest. */
    looksBy,
    deps: { ...standard, ...differing(standard) },
    /** Writes events as another process would. */
    store: async (stream: string, ...events: readonly DomainEvent[]): Promise<void> => {
      const known = stores.database.streams.get(stream)?.events.length ?? 0;
      const expected = known === 0 ? ("no_stream" as const) : known - 1;
      await log.append(stream, expected, await eventsToAppend(codec, OWNER, events));
    },
  };
}

function missing(what: string): never {
  throw new Error(`${what} is not there`);
}

/** What one owned campaign keeps in memory, and what was asked of it. */
export function runOf(stop: AbortSignal = new AbortController().signal) {
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
