import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCallWatchdog } from "../../../application/call/watchdog/call-watchdog.ts";
import type { Admission } from "../../../application/ports/admission.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { Settlement } from "../../../domain/admission/requests.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createMemoryAdmission } from "../../../simulation/memory/admission.ts";
import { at, began, completed, connected, requested, ringing } from "../../domain/call/example-call.ts";
import { callRequest, dialingBegan } from "../../projections/example-events.ts";
import { AWAY, callId, DIAL_BY, GONE, HOUR, lookWorld, SLOT } from "./look-world.ts";

const LONGEST = 15;
/** Until then a slow append could still dial. */
const EMPTY = DIAL_BY + 30;
const ACTIONS_AT_ONCE = 100;
const PLAN = { active: true, plan: { maxConcurrentCalls: 500, maxCallsPerSecond: 500 } };

function watchdogWorld() {
  const world = lookWorld();
  const { clock, deps } = world;
  const stop = new AbortController();
  const memory = createMemoryAdmission({ clock, owner: () => PLAN });
  const since = clock.nowMillis();
  const seconds = () => (clock.nowMillis() - since) / 1_000;
  /** Of the loop, by the second of each. */
  const rounds: number[] = [];
  const looks: unknown[] = [];
  const closings: (readonly Settlement[])[] = [];
  const fails = { store: false, read: null as Error | null };
  const admission: Admission = {
    ...memory,
    dueLooks: async (until, limit) => {
      if (limit !== 500) return memory.dueLooks(until, limit); // asked once, when it starts
      rounds.push(seconds());
      if (fails.store) throw AWAY;
      return memory.dueLooks(until, limit);
    },
    setNextLooks: async (next) => {
      looks.push(...next);
      await memory.setNextLooks(next);
    },
    close: async (settlements) => {
      closings.push(settlements);
      await memory.close(settlements);
    },
  };
  const query: typeof deps.calls.query = (...asked) =>
    fails.read === null ? deps.calls.query(...asked) : Promise.reject(fails.read);
  const watchdog = createCallWatchdog({
    ...deps,
    calls: { ...deps.calls, query },
    admission,
    longestWaitMillis: LONGEST * 1_000,
  });
  const settled = async () => {
    for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...world,
    wakeBy: (second: number) => watchdog.wakeWatchdogBy(at(second)),
    rounds,
    looks,
    closings,
    fails,
    stop: () => stop.abort(),
    run: async () => {
      void watchdog.run(stop.signal);
      await settled();
    },
    settled,
    /** Slots whose first look is due at this second. */
    slots: async (second: number, ...calls: readonly CallId[]) => {
      for (const call of calls)
        await memory.ensure(
          { ...SLOT, callId: call, phoneNumber: "+12025550100", nextLookAt: at(second) },
          1,
        );
    },
    until: async (second: number) => {
      await settled();
      clock.advance((second - seconds()) * 1_000);
      await settled();
    },
  };
}

let world: ReturnType<typeof watchdogWorld>;
beforeEach(async () => {
  world = watchdogWorld();
  await world.run();
});
afterEach(() => world.stop());

describe("the loop over all calls", () => {
  it("looks every 15 s when nothing is due", async () => {
    for (const second of [14.999, 15, 30]) await world.until(second);
    expect(world.rounds).toEqual([0, 15, 30]);
    expect([world.looks, world.closings, world.seen.errors]).toEqual([[], [], []]);
  });

  it.each([
    ["the earlier", [2, 5]],
    ["the earlier, whoever comes first,", [5, 2]],
    ["the only one", [2]],
  ])("is back by %s of the times that it is woken for", async (_which, times) => {
    for (const second of times) world.wakeBy(second);
    for (const second of [1.999, 2]) await world.until(second);
    expect(world.rounds).toEqual([0, 0, 2]);
  });

  it("looks when the next call is due though it was woken for later, and the other way round", async () => {
    await world.slots(3, callId);
    world.wakeBy(5);
    await world.until(3);
    expect(world.rounds).toEqual([0, 0, 3]);
    world.wakeBy(4);
    await world.until(4);
    expect(world.rounds.slice(3)).toEqual([3, 4]);
  });

  it("is not woken for a time after that of its next look", async () => {
    await world.slots(3, callId);
    world.wakeBy(1);
    await world.until(1);
    for (const second of [4, 5]) world.wakeBy(second);
    await world.until(2.999);
    expect(world.rounds).toEqual([0, 0, 1]);
    await world.until(3);
    expect(world.rounds.slice(3, 4)).toEqual([3]);
  });

  it("tries again a second later when a store is away, and says so", async () => {
    world.fails.store = true;
    world.wakeBy(LONGEST);
    await world.settled();
    expect(world.seen.errors).toEqual([[{ error: AWAY }, "watchdog could not look; tries again"]]);
    world.fails.store = false;
    for (const second of [0.999, 1]) await world.until(second);
    expect(world.rounds).toEqual([0, 0, 1]);
  });
});

describe("a slot without a call", () => {
  it("is free 30 s after its dialBy, without a charge, and not before", async () => {
    await world.slots(EMPTY, callId);
    world.wakeBy(EMPTY);
    await world.until(EMPTY);
    expect(world.looks).toEqual([{ callId, at: at(EMPTY + 0.001) }]);
    expect(world.closings).toEqual([]);
    await world.until(EMPTY + 0.001);
    expect(world.closings).toEqual([[{ callId, cost: 0, unused: true }]]);
    expect(world.looks).toHaveLength(1);
    expect(world.seen.errors).toEqual([]);
  });
});

it("the slot of a call that has ended is freed at its look for what the call cost", async () => {
  await world.store(callId, requested, began, connected, completed);
  await world.slots(50, callId);
  world.wakeBy(50);
  await world.until(50);
  expect(world.closings).toEqual([[{ callId, cost: 5_000, unused: false }]]);
  expect([world.looks, world.seen.errors]).toEqual([[], []]);
});

describe("a carrier that does not answer", () => {
  beforeEach(() => {
    world.answers.lookup = new Promise(() => undefined);
  });

  it("is asked about a call once, however often that is looked at", async () => {
    await world.store(callId, requested, began, ringing);
    await world.slots(77, callId);
    world.wakeBy(77);
    for (const second of [77, 82, 87]) await world.until(second);
    expect(world.looks).toEqual([82, 87, 92].map((second) => ({ callId, at: at(second) })));
    expect(world.seen.asked).toBe(1);
  });

  it("is asked about 100 calls at once; the next one has to wait for a look after an answer", async () => {
    const answer = Promise.withResolvers<{ kind: "ambiguous" }>();
    world.answers.lookup = answer.promise;
    const calls = Array.from({ length: ACTIONS_AT_ONCE }, (_, n): CallId => `call_${n}`);
    for (const call of [...calls, "call_next"] as const)
      await world.store(call, request(call), dialingBegan(call, at(1)));
    await world.slots(21, ...calls);
    await world.slots(22, "call_next");
    world.wakeBy(21);
    for (const second of [21, 22]) await world.until(second);
    expect(world.seen.asked).toBe(ACTIONS_AT_ONCE);
    answer.resolve({ kind: "ambiguous" });
    await world.until(25);
    expect(world.seen.asked).toBe(ACTIONS_AT_ONCE);
    for (const second of [26, 27]) await world.until(second);
    expect(world.seen.asked).toBe(2 * ACTIONS_AT_ONCE + 1);
  });
});

describe("more calls that are due at the same moment than can be asked about", () => {
  it("take turns: those that had to wait come first the next time", async () => {
    const calls = Array.from({ length: ACTIONS_AT_ONCE + 20 }, (_, n): CallId => `call_${1_000 + n}`);
    for (const call of calls) await world.store(call, request(call), dialingBegan(call, at(1)));
    await world.slots(21, ...calls);
    world.wakeBy(21);
    await world.until(21);
    expect(world.seen.askedAbout).toEqual(calls.slice(0, ACTIONS_AT_ONCE));
    await world.until(26);
    const second = world.seen.askedAbout.slice(ACTIONS_AT_ONCE);
    expect(second.slice(0, 20)).toEqual(calls.slice(ACTIONS_AT_ONCE));
    expect(second).toHaveLength(ACTIONS_AT_ONCE);
    await world.until(31);
    expect(world.seen.askedAbout.slice(2 * ACTIONS_AT_ONCE).slice(0, 20)).toEqual(calls.slice(80, 100));
  });
});

function request(call: CallId) {
  return callRequest({
    callId: call,
    owner: "usr_1",
    campaignId: null,
    contactId: null,
    attempt: 1,
    at: at(0),
  });
}

describe("a call that cannot be read", () => {
  beforeEach(async () => {
    await world.slots(5, callId);
    world.wakeBy(5);
  });

  it("is looked at again a minute later when its stream is gone, and keeps its slot", async () => {
    world.fails.read = GONE;
    await world.until(5);
    expect(world.looks).toEqual([{ callId, at: at(65) }]);
    expect(world.said).toEqual([["warn", "call cannot be read; looked at again", { callId, error: GONE }]]);
    expect([world.closings, world.seen.errors]).toEqual([[], []]);
  });

  it("is given up 3 h after its dialBy", async () => {
    world.fails.read = GONE;
    await world.until(DIAL_BY + 3 * HOUR);
    expect(world.closings).toEqual([]);
    await world.until(DIAL_BY + 3 * HOUR + 60);
    expect(world.closings).toEqual([[{ callId, cost: 0 }]]);
    expect(world.seen.givenUp).toEqual([{ processor: "call-watchdog", callId, error: GONE }]);
  });

  it("because the log is away is looked at a second later", async () => {
    world.fails.read = new EventStoreError({ kind: "unavailable", cause: "away" });
    await world.until(5);
    expect(world.looks).toEqual([]);
    for (const second of [5.999, 6]) await world.until(second);
    expect(world.rounds.slice(-2)).toEqual([5, 6]);
    expect(world.said).toEqual([]);
  });
});
