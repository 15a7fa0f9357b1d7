import { beforeEach, describe, expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createAssistantHealth } from "../../../application/call/health/assistant-health.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import { placeSingleCall } from "../../../application/call/single-call.ts";
import { createAsking } from "../../../application/policy/asking.ts";
import type { Admission } from "../../../application/ports/admission.ts";
import {
  type EventStore,
  EventStoreError,
  type EventStoreFailure,
} from "../../../application/ports/event-store.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  CALLER,
  engineProcess,
  OWNER,
  QUIET_CARRIER,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const callId: CallId = "call_1";
const TO = REQUEST.to;
const MODEL = { owner: OWNER, connectionId: null, model: null };
const TOO_LARGE: EventStoreFailure = {
  kind: "too_large",
  what: "append",
  bytes: 2_000_000,
  limit: 1_048_576,
};

/** One process that only answers requests; its calls get the turn that the test says. */
function callWorld() {
  const stores = sharedStores();
  const { clock } = stores;
  const refuses: { failure: EventStoreFailure | null; from: number } = { failure: null, from: 1 };
  const appends: number[] = [];
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    append: async (...asked) => {
      appends.push(clock.nowMillis());
      if (refuses.failure !== null && appends.length >= refuses.from)
        throw new EventStoreError(refuses.failure);
      return store.append(...asked);
    },
  });
  const { aggregates } = engineProcess(stores, { works: false, wrapStore });
  const woken: Instant[] = [];
  const looks: unknown[] = [];
  const dialled: { readonly at: number; readonly callId: CallId }[] = [];
  let turn: number | null = null;
  let whenAdmitted = () => {};
  const admission: Admission = {
    ...stores.admission,
    admit: async (request) => {
      const admitted = await stores.admission.admit(request);
      whenAdmitted();
      if (turn === null) return admitted;
      const [dialAt, dialBy] = [turn, turn + 15_000].map(instantFromMillis);
      if (dialAt === undefined || dialBy === undefined) throw new Error("no turn");
      return { ...admitted, granted: admitted.granted.map((grant) => ({ ...grant, dialAt, dialBy })) };
    },
    setNextLooks: async (next) => void looks.push(...next),
  };
  const carriers = oneCarrier({
    ...QUIET_CARRIER,
    placeCall: async (call) => {
      dialled.push({ at: clock.nowMillis(), callId: call.callId });
      return { kind: "accepted", carrierRef: "ref" };
    },
  });
  const stopDialing = new AbortController();
  const assistantHealth = createAssistantHealth();
  const carrierHealth = createCarrierHealth();
  const { calls } = aggregates;
  const base = { ...stores, carriers, admission, carrierHealth, calls, logger: silentLogger };
  const deps = {
    ...base,
    aggregates,
    assistantHealth,
    asking: createAsking(base),
    dialing: createCallDialing({ ...base, stopDialing: stopDialing.signal }),
    settings: { pricePerMinute: 10_000, processId: "one", leaseMillis: 10_000, longestWaitMillis: 15_000 },
    wakeWatchdogBy: (at: Instant) => void woken.push(at),
  };
  return {
    stores,
    clock,
    assistantHealth,
    woken,
    looks,
    dialled,
    appends,
    stop: () => stopDialing.abort(),
    whenAdmitted: (does: () => void) => {
      whenAdmitted = does;
    },
    /** The log takes nothing from this append on. */
    refuse: (failure: EventStoreFailure, from: number) => Object.assign(refuses, { failure, from }),
    live: async () => (await stores.admission.account(OWNER)).liveCalls,
    types: () => typesOf(stores, `call-${callId}`),
    /** Answered after so long; its turn is so far away. */
    place: async (turnMillis: number | null = null) => {
      const asked = clock.nowMillis();
      turn = turnMillis === null ? null : asked + turnMillis;
      const pin = async () => ({ ok: true as const, value: REQUEST });
      const request = { reservedCallId: callId, to: TO };
      const answer = await until(stores, placeSingleCall(deps, CALLER, request, pin));
      return { answer, took: clock.nowMillis() - asked, asked };
    },
  };
}

let world: ReturnType<typeof callWorld>;
beforeEach(() => {
  world = callWorld();
});
const DIALLED = ["CallRequested", "CallDialingBegan", "CallRinging"];

describe("a number that is listed while its call is admitted", () => {
  it.each([0, 50, 51])(
    "is not dialled, with a turn in %i ms: the list is read after the slot is taken",
    async (turn) => {
      world.whenAdmitted(() => world.stores.directory.suppress(OWNER, TO));
      const { answer } = await world.place(turn);
      expect(answer).toMatchObject({ ok: true, value: { callId, status: "failed" } });
      expect([world.dialled, world.types()]).toEqual([[], ["CallRequested", "CallFailed"]]);
    },
  );
});

describe("the turn of a call", () => {
  it("within 50 ms is awaited before anything is stored; the watchdog looks at its dialBy", async () => {
    const { asked, answer } = await world.place(50);
    expect(answer).toMatchObject({ ok: true, value: { callId, status: "ringing" } });
    expect(world.dialled).toEqual([{ at: asked + 50, callId }]);
    expect(world.woken).toEqual([instantFromMillis(asked + 15_050)]);
    expect(world.types()).toEqual(DIALLED);
    expect(world.appends[0]).toBe(asked + 50);
  });

  it("that is later is stored at once, and the watchdog's, too, in case this process dies", async () => {
    const { asked } = await world.place(51);
    expect(world.appends[0]).toBe(asked);
    expect(world.woken).toEqual([instantFromMillis(asked + 51)]);
    expect(world.dialled).toEqual([{ at: asked + 51, callId }]);
  });

  it("within the 5 s of the request is awaited by the request, and left to the watchdog beyond", async () => {
    await until(world.stores, world.clock.sleep(60_000));
    const { took } = await world.place(5_001);
    expect(took).toBe(0);
    expect(world.types()).toEqual(["CallRequested"]);
    world = callWorld();
    await until(world.stores, world.clock.sleep(60_000));
    const { asked } = await world.place(5_000);
    expect(world.dialled).toEqual([{ at: asked + 5_000, callId }]);
  });

  it.each([0, 100])(
    "in %i ms is left to the next process when this one has been told to stop",
    async (turn) => {
      world.stop();
      const { asked, answer } = await world.place(turn);
      expect(answer).toMatchObject({ ok: true, value: { status: "initiating" } });
      expect(world.looks).toEqual([{ callId, at: instantFromMillis(asked + turn) }]);
      expect([world.types(), world.dialled]).toEqual([["CallRequested"], []]);
    },
  );
});

describe("a request that is repeated", () => {
  it("is told how its call is, and nobody is judged or rung again", async () => {
    await world.place();
    world.stores.directory.suppress(OWNER, TO);
    const { answer } = await world.place();
    expect(answer).toMatchObject({ ok: true, value: { callId, status: "ringing" } });
    expect(world.dialled).toHaveLength(1);
  });

  it("is told what another process has heard meanwhile", async () => {
    await world.place();
    const { sink } = engineProcess(world.stores, { works: false, processId: "two" });
    const fact = { callId, carrierRef: "ref", sequence: 1, occurredAt: world.clock.now() };
    const answered = { ...fact, type: "answered", answeredBy: "human", dedupeKey: "1" } as const;
    await until(world.stores, sink(answered));
    expect((await world.place()).answer).toMatchObject({ ok: true, value: { status: "connected" } });
  });
});

describe("a log that takes nothing", () => {
  const failed = async (turn: number, failure: EventStoreFailure, from: number) => {
    world.refuse(failure, from);
    await expect(world.place(turn)).rejects.toThrow(failure.kind);
    return world.live();
  };

  it("frees the slot of a call that it refused for good: nothing of it was stored", async () => {
    expect(await failed(0, TOO_LARGE, 1)).toBe(0);
  });

  it("keeps it when the call was stored before its dial was refused, or nobody knows", async () => {
    expect(await failed(100, TOO_LARGE, 2)).toBe(1);
    world = callWorld();
    expect(await failed(0, { kind: "unavailable", cause: "away" }, 1)).toBe(1);
  });
});

it("nobody is called by an assistant whose last five calls failed", async () => {
  world.assistantHealth.assumeUnavailable(MODEL);
  expect((await world.place()).answer).toMatchObject({
    ok: false,
    refusal: {
      code: "ASSISTANT_UNAVAILABLE",
      message: "The last five answered calls ended because the assistant failed",
    },
  });
  expect(await world.live()).toBe(0);
});
