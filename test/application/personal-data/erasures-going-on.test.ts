import { beforeEach, describe, expect, it } from "vitest";
import { type ErasureStepsDeps, runErasure } from "../../../application/personal-data/erasure-steps.ts";
import { runErasures } from "../../../application/personal-data/run-erasures.ts";
import type { RunningErasure } from "../../../application/ports/erasures.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { CallId, ErasureId } from "../../../domain/shared/ids.ts";
import { AT, type MemoryErasing, memoryErasing, settled } from "./memory-erasing.ts";

const OWNER = "usr_1";
const ASKER = { owner: OWNER, actor: "key_1", correlationId: "req_1" } as const;
const NOT_DONE = "an erasure is not done yet; it goes on later";

let world: MemoryErasing;
beforeEach(() => {
  world = memoryErasing();
});

async function begun(id: ErasureId, callIds: readonly CallId[], kind: RunningErasure["kind"] = "call") {
  for (const callId of callIds) await world.call({ callId });
  const named = { callId: null, phoneNumber: null, recordings: 0, createdAt: AT };
  await world.deps.erasures.begin({ id, owner: OWNER, kind, ...named }, callIds);
  return { id, owner: OWNER, kind, callIds } as const;
}

describe("an erasure that has begun", () => {
  it("is told to the log for 16 calls at once, then written to the file with its time, then the keys go", async () => {
    const ids = Array.from({ length: 40 }, (_, index): CallId => `call_${index}`);
    const erasure = await begun("ers_1", ids);
    const { calls } = world.deps;
    let [underWay, most] = [0, 0];
    const handle: typeof calls.handle = async (...given) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await settled();
      underWay -= 1;
      return calls.handle(...given);
    };
    await runErasure({ ...world.deps, calls: { ...calls, handle } }, erasure, ASKER);
    expect(most).toBe(16);
    for (const callId of ids)
      expect(await world.erasedBy(callId)).toEqual([{ erasureId: "ers_1", ...ASKER }]);
    const at = world.log.clock.now();
    expect(world.lines).toEqual(ids.map((callId) => ({ callId, owner: OWNER, erasureId: "ers_1", at })));
    expect([world.running(), world.log.said]).toEqual([[], []]);
  });

  it("is not done before the read models have its events", async () => {
    const erasure = await begun("ers_1", ["call_1"]);
    const asked: unknown[] = [];
    const queries: ErasureStepsDeps["queries"] = {
      caughtUp: async (position, millis) => {
        asked.push([position === (await world.deps.eventStore.head()), millis]);
        return "served";
      },
    };
    await runErasure({ ...world.deps, queries }, erasure, ASKER);
    expect(asked).toEqual([[true, 30_000]]);
    expect(world.log.said).toEqual([
      ["error", NOT_DONE, { erasureId: "ers_1", problem: "Error: the read models are behind" }],
    ]);
    expect(world.running()).toHaveLength(1);
    expect(world.done).not.toContain("clear call_1");
  });

  it("waits for webhooks on their way, looking every 250 ms, and after a minute goes on later", async () => {
    const erasure = await begun("ers_1", ["call_1"]);
    const { clock } = world.log;
    let looks = 0;
    let isClear = false;
    const clear = async () => {
      looks += 1;
      return isClear;
    };
    const deps = { ...world.deps, erasures: { ...world.deps.erasures, clear } };
    const first = runErasure(deps, erasure, ASKER);
    for (let waited = 0; waited <= 60_000; waited += 250) {
      await settled();
      clock.advance(250);
    }
    await first;
    expect([looks, world.running().length]).toEqual([242, 1]);
    expect(world.log.said).toEqual([
      ["error", NOT_DONE, { erasureId: "ers_1", problem: "Error: a webhook is still on its way" }],
    ]);
    const second = runErasure(deps, erasure, ASKER);
    await settled();
    isClear = true;
    clock.advance(250);
    await second;
    expect([looks, world.running()]).toEqual([244, []]);
  });

  it("goes on later when the log does not answer; neither the file nor the keys come before it", async () => {
    const erasure = await begun("ers_1", ["call_1"]);
    const unavailable = new EventStoreError({ kind: "unavailable", cause: "down" });
    const calls = { ...world.deps.calls, handle: () => Promise.reject(unavailable) };
    await runErasure({ ...world.deps, calls }, erasure, ASKER);
    expect(world.log.said).toEqual([
      ["error", NOT_DONE, { erasureId: "ers_1", problem: String(unavailable) }],
    ]);
    expect([world.lines, world.erasedKeys.size]).toEqual([[], 0]);
  });
});

describe("erasures that a crash has left", () => {
  it("are finished one after another by the process itself, those of retention elsewhere", async () => {
    await begun("ers_1", ["call_1"]);
    await begun("ers_2", ["call_2"], "retention");
    await begun("ers_3", ["call_3"], "phone_number");
    const stop = new AbortController();
    const going = runErasures(world.deps, stop.signal);
    await settled();
    expect(world.running().map(({ id }) => id)).toEqual(["ers_2"]);
    const asker = { actor: "process:erasures", owner: OWNER };
    expect(await world.erasedBy("call_3")).toEqual([
      { ...asker, erasureId: "ers_3", correlationId: "ers_3" },
    ]);
    await begun("ers_4", ["call_4"]);
    world.log.clock.advance(29_999);
    await settled();
    expect(world.running().map(({ id }) => id)).toEqual(["ers_2", "ers_4"]);
    world.log.clock.advance(1);
    await settled();
    expect(world.running().map(({ id }) => id)).toEqual(["ers_2"]);
    stop.abort();
    await going;
  });

  it("are looked for again when they could not be read, which the log says", async () => {
    await begun("ers_1", ["call_1"]);
    const stop = new AbortController();
    let tries = 0;
    const running = async () => {
      tries += 1;
      if (tries === 1) throw new Error("no connection");
      return world.running();
    };
    const going = runErasures({ ...world.deps, erasures: { ...world.deps.erasures, running } }, stop.signal);
    await settled();
    expect(world.log.said).toEqual([
      ["warn", "erasures cannot be read; tried again", { problem: "Error: no connection" }],
    ]);
    world.log.clock.advance(30_000);
    await settled();
    expect(world.running()).toEqual([]);
    stop.abort();
    await going;
  });

  it("are left to the next process after a stop", async () => {
    await begun("ers_1", ["call_1"]);
    await begun("ers_2", ["call_2"]);
    const stop = new AbortController();
    const files = { remove: async () => stop.abort() };
    await runErasures({ ...world.deps, files }, stop.signal);
    expect(world.running().map(({ id }) => id)).toEqual(["ers_2"]);
  });
});
