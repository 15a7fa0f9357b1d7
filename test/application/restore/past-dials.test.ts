import { beforeEach, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { PastDial, PastDials, ReadSoFar } from "../../../application/ports/past-dials.ts";
import { openGate } from "../../../application/restore/dial-gate.ts";
import { countPastDials, withPastDials } from "../../../application/restore/past-dials.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { callEnd, callRequest, dialingBegan } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const DAY = 86_400_000;
const FIRST: Instant = "2026-07-20T10:00:00.000Z";
const JUDGED: Instant = "2026-08-31T09:59:58.500Z";

let log = memoryLog();
beforeEach(() => {
  log = memoryLog({ clock: movedTo(FIRST) });
});

/** A clock that stands there. */
function movedTo(at: Instant) {
  const { clock } = memoryLog();
  clock.advance(Date.parse(at) - clock.nowMillis());
  return clock;
}

/** A call of now with what came of it. */
async function call(callId: CallId, ...then: readonly ((at: Instant) => CallEvent)[]) {
  const at = log.clock.now();
  const request = callRequest({ callId, owner: "usr_1", campaignId: null, contactId: null, attempt: 1, at });
  await log.store(callStream(callId), request, ...then.map((event) => event(at)));
}
const began = (callId: CallId) => (at: Instant) => dialingBegan(callId, at);
const ended = (callId: CallId, endReason: Parameters<typeof callEnd>[2]) => (at: Instant) =>
  callEnd(callId, at, endReason, endReason === "customer_ended" ? 10 : null);

/** Remembers what it is told; `failAt`: the database is away at this count. */
function store(failAt = 0) {
  const dials = new Map<CallId, PastDial>();
  const state = { soFar: { before: null, met: [] } as ReadSoFar, done: false, counts: 0, failAt };
  const pastDials: PastDials = {
    readSoFar: async () => (state.done ? null : state.soFar),
    count: async (some, soFar) => {
      state.counts += 1;
      if (state.counts === state.failAt) throw new Error("away");
      for (const dial of some) dials.set(dial.callId, dial);
      state.soFar = JSON.parse(JSON.stringify(soFar));
    },
    allRead: async () => {
      state.done = true;
    },
    readAgain: async () => {
      state.done = false;
    },
  };
  return { pastDials, state, counted: () => [...dials.keys()].sort(), dials };
}
const count = (pastDials: PastDials) => countPastDials({ ...log, pastDials });

it("counts what was dialled or may still be, at the time of its judgement, and not what became no dial", async () => {
  log.clock.advance(40 * DAY);
  await call("call_1_answered", began("call_1_answered"), ended("call_1_answered", "customer_ended"));
  await call("call_2_busy", began("call_2_busy"), ended("call_2_busy", "busy"));
  await call("call_3_refused", began("call_3_refused"), ended("call_3_refused", "not_placed"));
  await call("call_4_late", ended("call_4_late", "not_placed"));
  await call("call_5_listed", ended("call_5_listed", "suppressed"));
  await call("call_6_canceled", ended("call_6_canceled", "canceled"));
  await call("call_7_rung", began("call_7_rung"), ended("call_7_rung", "canceled"));
  await call("call_8_lives", began("call_8_lives"));
  await call("call_9_waits");
  const { data, type } = callRequest({
    ...{ callId: "call_judged", owner: "usr_1", campaignId: null, contactId: null, attempt: 1 },
    at: log.clock.now(),
  });
  const evidence = { policyVersion: 1, judgedAt: JUDGED, checks: [], zones: null };
  await log.store(callStream("call_judged"), { type, data: { ...data, evidence } });
  const { pastDials, counted, dials, state } = store();
  await count(pastDials);
  expect(counted()).toEqual([
    ...["call_1_answered", "call_2_busy", "call_7_rung", "call_8_lives", "call_9_waits", "call_judged"],
  ]);
  expect(dials.get("call_judged")?.at).toBe(JUDGED);
  expect(dials.get("call_2_busy")).toMatchObject({ owner: "usr_1", phoneNumber: "+15005550006" });
  expect(state.done).toBe(true);
});

it("counts the last 35 days, and reads no further than it has to", async () => {
  for (let day = 0; day < 45; day += 1) {
    await call(`call_${String(day).padStart(2, "0")}`);
    log.clock.advance(DAY);
  }
  const { pastDials, counted } = store();
  await count(pastDials);
  expect([counted().length, counted()[0]]).toEqual([35, "call_10"]);
});

it("goes on where it was interrupted, and meets a call whole whose events stand on both sides", async () => {
  const calls = Array.from({ length: 2_500 }, (_, n): CallId => `call_${String(n).padStart(4, "0")}`);
  for (const [n, callId] of calls.entries()) {
    const end = n % 3 === 0 ? "not_placed" : "busy";
    await call(callId, began(callId));
    const earlier = calls[n - 1];
    const reason = n % 3 === 1 ? "not_placed" : "busy";
    if (earlier !== undefined) await log.store(callStream(earlier), callEnd(earlier, FIRST, reason, null));
    if (n === calls.length - 1) await log.store(callStream(callId), callEnd(callId, FIRST, end, null));
  }
  const dialled = calls.filter((_, n) => n % 3 !== 0);
  for (const failAt of [1, 2, 3]) {
    const { pastDials, counted, state } = store(failAt);
    await expect(count(pastDials)).rejects.toThrow("away");
    expect([state.done, state.soFar.before === null]).toEqual([false, failAt === 1]);
    await count(pastDials);
    expect(counted()).toEqual(dialled);
  }
});

it("is done once, until the stores are restored", async () => {
  const { pastDials, state } = store();
  await count(pastDials);
  await count(pastDials);
  expect(state.counts).toBe(1);
  await pastDials.readAgain();
  await count(pastDials);
  expect(state.counts).toBe(2);
});

it("keeps the gate closed until the dials are counted, and says so", async () => {
  await call("call_1", began("call_1"));
  const { pastDials, counted } = store(1);
  const gate = withPastDials(openGate, { ...log, pastDials, stop: new AbortController().signal });
  expect([gate.state(), gate.waitsFor()]).toEqual(["asking", "dials"]);
  expect(gate.requireOpen).toThrow("35 days");
  const turns = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  await turns();
  expect([gate.state(), log.said.at(-1)?.[0]]).toEqual(["asking", "error"]);
  log.clock.advance(100);
  await gate.opened;
  expect([gate.state(), gate.waitsFor(), gate.whyClosed()]).toEqual(["open", null, null]);
  expect(counted()).toEqual(["call_1"]);
});
