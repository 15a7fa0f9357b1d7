import { beforeEach, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { Caller } from "../../../application/outcome.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { HeardOptOut } from "../../../application/ports/opt-outs.ts";
import { type TakeOffDeps, takeOff } from "../../../application/suppression/take-off.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createMemoryDirectory } from "../../../simulation/memory/directory.ts";
import { memoryOptOuts } from "../../../simulation/memory/suppressions/opt-outs.ts";
import {
  memoryListState,
  memorySuppressions,
} from "../../../simulation/memory/suppressions/suppression-list.ts";
import { connected, singleRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const CALLER: Caller = { owner: "usr_1", actor: "key_1", correlationId: "req_1" };
const NUMBER = "+15005550006";
const CALL: CallId = "call_1";

let world: ReturnType<typeof open>;
beforeEach(() => {
  world = open();
});

function open() {
  const log = memoryLog();
  const { clock, ids, aggregates } = log;
  const directory = createMemoryDirectory();
  const outbox = { enqueue: async () => undefined };
  const list = { state: memoryListState(), directory, outbox, clock, ids };
  const optOuts = memoryOptOuts(list);
  const suppressions = memorySuppressions(list);
  const deps: TakeOffDeps = {
    ...{ calls: aggregates.calls, optOuts, suppressions, clock },
    requireOpen: () => undefined,
  };
  return { log, deps, optOuts, suppressions };
}

/** An answered call on which somebody asks. */
async function asked(callId: CallId = CALL): Promise<HeardOptOut> {
  const { log, optOuts } = world;
  const at = log.clock.now();
  await log.store(callStream(callId), singleRequest(callId), connected(callId, at, "ref-1"));
  const heard: HeardOptOut = {
    ...{ callId, owner: CALLER.owner, campaignId: null, phoneNumber: NUMBER },
    ...{ by: "words", messageIndex: 1, saidAt: at },
  };
  await optOuts.list(heard);
  return heard;
}

const isListed = async () => (await world.suppressions.get(CALLER.owner, NUMBER))?.listed;
const off = (changes: Partial<TakeOffDeps> = {}) => takeOff({ ...world.deps, ...changes }, CALLER, NUMBER);
const told = async (callId: CallId = CALL) =>
  (await world.log.recorded(callStream(callId))).slice(2).map(({ event, metadata: { actor } }) => ({
    type: event.type,
    ...("by" in event.data ? { by: event.data.by } : {}),
    actor,
  }));
const BOTH = [
  { type: "CallOptedOut", by: "words", actor: "key_1" },
  { type: "CallOptOutRevoked", by: "key_1", actor: "key_1" },
];

it("revokes what was asked for on each call, in one append, and then the entry goes", async () => {
  await asked();
  await asked("call_2");
  const before = world.log.appends.length;
  expect(await off()).toBe(true);
  expect([await told(), await told("call_2")]).toEqual([BOTH, BOTH]);
  expect(world.log.appends.slice(before)).toEqual([2, 2]);
  expect(await isListed()).toBe(false);
  expect(await off()).toBe(false);
});

it("tells the wish once, when it is in the log already", async () => {
  const { by, messageIndex, saidAt } = await asked();
  const now = world.log.clock.now();
  await world.log.aggregates.calls.handle(
    callStream(CALL),
    [{ type: "RecordOptedOut", by, messageIndex, saidAt, now }],
    { ...CALLER, actor: "process:1", causationId: null },
  );
  expect(await off()).toBe(true);
  expect((await told()).map(({ type }) => type)).toEqual(["CallOptedOut", "CallOptOutRevoked"]);
});

it("leaves the number on the list when it dies between events and entry; the repeat finishes", async () => {
  await asked();
  const suppressions = { takeOff: () => Promise.reject(new Error("the process is gone")) };
  await expect(off({ suppressions })).rejects.toThrow("the process is gone");
  expect([await isListed(), await told()]).toEqual([true, BOTH]);
  expect(await off()).toBe(true);
  expect([await isListed(), await told()]).toEqual([false, BOTH]);
});

it("leaves the number on the list while the log cannot be written", async () => {
  await asked();
  const away = new EventStoreError({ kind: "unavailable", cause: "away" });
  await expect(off({ calls: { handle: () => Promise.reject(away) } })).rejects.toBe(away);
  expect(await isListed()).toBe(true);
});

it("appends nothing while nothing may be decided here; what no call asked for needs no event", async () => {
  const requireOpen = () => {
    throw new Error("shut");
  };
  await world.suppressions.add(CALLER.owner, NUMBER, null, "key_1");
  expect(await off({ requireOpen })).toBe(true);
  await asked();
  await expect(off({ requireOpen })).rejects.toThrow("shut");
  expect([await isListed(), await told()]).toEqual([true, []]);
});

it("does not lose a wish of the moment in between: that call tells it and revokes it too", async () => {
  await asked();
  let isFirst = true;
  const { suppressions } = world;
  const takeOffLater: typeof suppressions.takeOff = async (...given) => {
    if (isFirst) await asked("call_2");
    isFirst = false;
    return suppressions.takeOff(...given);
  };
  expect(await off({ suppressions: { takeOff: takeOffLater } })).toBe(true);
  expect(await told("call_2")).toEqual(BOTH);
});

it("takes the number off although the log does not know the call", async () => {
  const heard = await asked();
  await world.optOuts.list({ ...heard, callId: "call_gone" });
  expect(await off()).toBe(true);
  expect([await isListed(), await told()]).toEqual([false, BOTH]);
  expect(await told("call_gone")).toEqual([]);
});

it("leaves other owners' lists and calls alone", async () => {
  await asked();
  expect(await takeOff(world.deps, { ...CALLER, owner: "usr_2" }, NUMBER)).toBe(false);
  expect([await isListed(), await told()]).toEqual([true, []]);
});
