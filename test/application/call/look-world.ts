import { actOnCall, type CallLookDeps } from "../../../application/call/watchdog/call-look.ts";
import { createGivenUp } from "../../../application/given-up.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { Carrier, LookupResult } from "../../../application/ports/carrier.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { Settlement, Slot } from "../../../domain/admission/requests.ts";
import type { CallAction } from "../../../domain/call/deadlines.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { createMemoryDirectory } from "../../../simulation/memory/directory.ts";
import { at } from "../../domain/call/example-call.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

export const callId = "call_1";
export const HOUR = 3_600;
export const DIAL_BY = 15;
export const SLOT: Slot = {
  callId,
  owner: "usr_1",
  campaignId: null,
  dialAt: at(0),
  dialBy: at(DIAL_BY),
  nextLookAt: at(0),
};
export const GONE = new EventStoreError({ kind: "deleted", stream: "call-call_1" });
export const AWAY = new EventStoreError({ kind: "unavailable", cause: "away" });
const NEVER = new AbortController().signal;

/** One look of the watchdog at call_1, with the world around it in memory. */
export function lookWorld() {
  const log = memoryLog();
  const { clock, codec, eventStore } = log;
  const stream = callStream(callId);
  const directory = createMemoryDirectory();
  /** What the look did, beside the log. */
  const seen = {
    asked: 0,
    /** The calls of these questions, in order. */
    askedAbout: [] as CallId[],
    hungUp: 0,
    dials: [] as { request: CallRequested["data"]; options: unknown }[],
    looks: [] as { callId: CallId; at: Instant }[],
    closed: [] as Settlement[],
    told: [] as unknown[],
    errors: [] as unknown[][],
    givenUp: [] as unknown[],
  };
  /** What the world around answers. */
  const answers: {
    lookup: LookupResult | Promise<LookupResult>;
    steady: number;
    configured: boolean;
    dials: boolean;
    campaign: Error | null;
    slots: Error | null;
    dial: Error | null;
  } = {
    lookup: { kind: "ambiguous" },
    steady: 60_000,
    configured: true,
    dials: true,
    campaign: null,
    slots: null,
    dial: null,
  };
  const logger = { ...log.logger, error: (...line: unknown[]) => void seen.errors.push(line) };
  const carrier: Carrier = {
    ...QUIET_CARRIER,
    placeCall: () => Promise.reject(new Error("not asked for")),
    lookup: async ({ callId }) => {
      seen.asked += 1;
      seen.askedAbout.push(callId);
      return answers.lookup;
    },
    hangUp: async () => {
      seen.hungUp += 1;
      return "done";
    },
  };
  const carriers = oneCarrier(carrier);
  const deps: CallLookDeps = {
    clock,
    codec,
    eventStore,
    logger,
    directory,
    calls: log.aggregates.calls,
    carriers: { ...carriers, dialledOn: async () => (answers.configured ? carrier : null) },
    admission: {
      setNextLooks: async (looks) => void seen.looks.push(...looks),
      close: async (settlements) => {
        if (answers.slots !== null) throw answers.slots;
        seen.closed.push(...settlements);
      },
      takeTurn: async () => null,
    },
    givenUp: createGivenUp({ ...logger, error: (what) => void seen.givenUp.push(what) }),
    dialing: {
      store: () => Promise.reject(new Error("not asked for")),
      begin: async (request, _origin, options) => {
        if (answers.dial !== null) throw answers.dial;
        seen.dials.push({ request, options });
        const handled = { events: [], revision: 0, position: "1" };
        return answers.dials ? { handled, handedOver: Promise.resolve() } : null;
      },
      stopped: NEVER,
      allHandedOver: async () => undefined,
      slowed: () => [],
    },
    giveUpInCampaign: async (...what) => {
      if (answers.campaign !== null) throw answers.campaign;
      seen.told.push(what);
    },
    wakeWatchdogBy: () => undefined,
    reachableSince: () => at(0),
    steadyMillis: () => answers.steady,
  };
  return {
    ...log,
    store: (id: CallId, ...events: readonly CallEvent[]) => log.store(callStream(id), ...events),
    deps,
    directory,
    seen,
    answers,
    /** This look, so many seconds after the request; what it added to the log. */
    look: async (
      action: CallAction,
      { after, slot = SLOT }: { readonly after: number; readonly slot?: Slot },
      ...had: readonly CallEvent[]
    ) => {
      await log.store(stream, ...had);
      clock.advance(after * 1_000);
      await actOnCall(deps, slot, action);
      return (await log.recorded(stream)).slice(had.length);
    },
  };
}
