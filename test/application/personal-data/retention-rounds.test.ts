import { beforeEach, describe, expect, it } from "vitest";
import {
  type RetentionDeps,
  retentionRound,
  runRetention,
} from "../../../application/personal-data/run-retention.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { RetentionPlace } from "../../../application/ports/retention.ts";
import { SubjectKeyError } from "../../../application/ports/subject-keys.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createMemoryLeases } from "../../../simulation/memory/leases.ts";
import { type MemoryErasing, memoryErasing, settled } from "./memory-erasing.ts";

const DAY = 86_400_000;
const on = new AbortController().signal;
const ME = "process-a";
const noLimit = () => Promise.reject(new Error("not asked here"));

let world: MemoryErasing;
let leases: ReturnType<typeof createMemoryLeases>;
/** Pauses in ms; each ends at once, or when the clock is moved. */
let pauses: number[];
beforeEach(() => {
  world = memoryErasing();
  leases = createMemoryLeases(world.log.clock);
  pauses = [];
});

const ago = (millis: number) => instantFromMillis(world.log.clock.nowMillis() - millis);

type Kept = {
  readonly days?: number;
  /** The calls with texts, by owner; a page of the list has `limit` of them. */
  readonly calls: Readonly<Record<OwnerId, readonly CallId[]>>;
};

/** `asked`: each page that was asked for. */
function retainer({ days = 30, calls }: Kept, changes: Partial<RetentionDeps> = {}) {
  const asked: [owner: OwnerId, before: string, limit: number, after: string | null][] = [];
  const { clock } = world.log;
  const deps: RetentionDeps = {
    ...world.deps,
    ...{ leases, ids: systemIds, processId: ME, dayMillis: DAY },
    clock: {
      ...clock,
      sleep: async (millis) => {
        pauses.push(millis);
        clock.advance(millis);
      },
    },
    retention: {
      ...{ contentDays: noLimit, change: noLimit, deleteRehearsals: async () => undefined },
      owners: async () => Object.keys(calls).map((owner) => ({ owner: owner as OwnerId, contentDays: days })),
      begunBefore: async (owner, before, { limit, after }) => {
        asked.push([owner, before, limit, after?.callId ?? null]);
        const all = calls[owner] ?? [];
        const from = after === null ? 0 : all.indexOf(after.callId) + 1;
        const callIds = all.slice(from, from + limit);
        const last = callIds.at(-1);
        const next: RetentionPlace | null =
          last === undefined || from + limit >= all.length ? null : { begunAt: before, callId: last };
        return { callIds, next };
      },
    },
    ...changes,
  };
  return { deps, asked };
}

const erasedIds = () => [...world.erasedKeys].toSorted();

describe("a round of retention", () => {
  it("goes through owners in turn, a hundred calls at a step, and rests after each", async () => {
    const ids = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index): CallId => `call_${prefix}${index}`);
    const calls = { usr_1: ids("a", 150), usr_2: ids("b", 1), usr_3: [] };
    for (const [owner, own] of Object.entries(calls))
      for (const callId of own) await world.call({ callId, owner: owner as OwnerId, at: ago(31 * DAY) });
    const before = ago(30 * DAY);
    const { deps, asked } = retainer({ calls });
    await retentionRound(deps, on);
    expect(asked.map(([owner, , limit, after]) => [owner, limit, after])).toEqual([
      ["usr_1", 100, null],
      ["usr_2", 100, null],
      ["usr_3", 100, null],
      ["usr_1", 100, "call_a99"],
    ]);
    expect(asked[0]?.[1]).toBe(before);
    expect(pauses).toEqual([50, 50, 50, 50]);
    expect(world.erasedKeys).toEqual(new Set([...calls.usr_1, ...calls.usr_2]));
    const made = async (owner: OwnerId) => (await deps.erasures.list(owner, { limit: 9, after: null })).rows;
    expect(await made("usr_1")).toMatchObject([
      { kind: "retention", callId: null, phoneNumber: null, calls: 100, status: "done" },
      { kind: "retention", calls: 50, status: "done" },
    ]);
    const [{ id } = { id: "none" }] = await made("usr_2");
    expect(await world.erasedBy("call_b0")).toEqual([
      { erasureId: id, actor: "process:retention", correlationId: id, owner: "usr_2" },
    ]);
  });

  it("begins with the rehearsals whose time is over, unless another process has the turn", async () => {
    const begun: unknown[] = [];
    const { deps } = retainer({ calls: {} });
    const retention: RetentionDeps["retention"] = {
      ...deps.retention,
      deleteRehearsals: async (...asked) => void begun.push(asked),
      owners: async () => {
        begun.push("calls");
        return [];
      },
    };
    const now = deps.clock.now();
    await retentionRound({ ...deps, retention }, on);
    const elsewhere = { ...leases, acquire: async () => false };
    await retentionRound({ ...deps, retention, leases: elsewhere }, on);
    expect(begun).toEqual([[now, DAY], "calls"]);
  });

  it("rests as long as a step took, 5 s at the most", async () => {
    const took = [700, 9_000];
    const { deps } = retainer({ calls: { usr_1: [], usr_2: [] } });
    const slow: RetentionDeps["retention"] = {
      ...deps.retention,
      begunBefore: async (...given) => {
        world.log.clock.advance(took.shift() ?? 0);
        return deps.retention.begunBefore(...given);
      },
    };
    await retentionRound({ ...deps, retention: slow }, on);
    expect(pauses).toEqual([700, 5_000]);
  });

  it("erases what ended before the day and counts the recordings; what ended at it, or lives, stays", async () => {
    await world.call({ callId: "call_before", at: ago(30 * DAY + 1), recorded: true });
    await world.call({ callId: "call_at", at: ago(30 * DAY) });
    await world.call({ callId: "call_live", at: ago(60 * DAY), endedAt: null });
    const { deps } = retainer({ calls: { usr_1: ["call_before", "call_at", "call_live"] } });
    await retentionRound(deps, on);
    expect(erasedIds()).toEqual(["call_before"]);
    expect((await deps.erasures.list("usr_1", { limit: 1, after: null })).rows).toMatchObject([
      { recordings: 1 },
    ]);
  });

  it.each([
    ["a day and more", 1, ["call_damaged", "call_none"]],
    ["less than a day", 0.999, []],
  ] as const)(
    "judges calls that are not in the log, or cannot be read, by keys kept for %s",
    async (_what, days, erased) => {
      await world.call({ callId: "call_damaged", at: ago(90 * DAY) });
      const { calls } = world.deps;
      const query: typeof calls.query = (stream, ...rest) =>
        stream === "call-call_damaged" && world.erasedKeys.size === 0
          ? Promise.reject(new SubjectKeyError("no key"))
          : calls.query(stream, ...rest);
      const { deps } = retainer(
        { days, calls: { usr_1: ["call_none", "call_damaged"] } },
        { calls: { ...calls, query } },
      );
      await retentionRound(deps, on);
      expect(erasedIds()).toEqual(erased);
    },
  );

  it("erases nothing while the log does not answer", async () => {
    await world.call({ callId: "call_1", at: ago(90 * DAY) });
    const unavailable = new EventStoreError({ kind: "unavailable", cause: "down" });
    const calls = { ...world.deps.calls, query: () => Promise.reject(unavailable) };
    const { deps } = retainer({ calls: { usr_1: ["call_1"] } }, { calls });
    await expect(retentionRound(deps, on)).rejects.toThrow(unavailable);
    expect(world.done).toEqual([]);
  });

  it("is one process's at a time, and ends where another one takes over", async () => {
    await leases.acquire("retention", "process-b", 90_000);
    const { deps, asked } = retainer({ calls: { usr_1: [], usr_2: [] } });
    await retentionRound(deps, on);
    expect(asked).toEqual([]);
    world.log.clock.advance(90_000);
    // The step of the first owner takes longer than the lease, and another process takes it.
    const slow: RetentionDeps["retention"] = {
      ...deps.retention,
      begunBefore: async (...given) => {
        world.log.clock.advance(90_000);
        await leases.acquire("retention", "process-b", 90_000);
        return deps.retention.begunBefore(...given);
      },
    };
    await retentionRound({ ...deps, retention: slow }, on);
    expect(asked.map(([owner]) => owner)).toEqual(["usr_1"]);
  });

  it("ends between two steps when it is to stop", async () => {
    const stop = new AbortController();
    const { deps, asked } = retainer({ calls: { usr_1: [], usr_2: [] } });
    const clock = { ...deps.clock, sleep: async () => stop.abort() };
    await retentionRound({ ...deps, clock }, stop.signal);
    expect(asked.map(([owner]) => owner)).toEqual(["usr_1"]);
  });

  it("first finishes what a crash has left of retention, and begins nothing before that is done", async () => {
    await world.call({ callId: "call_left", at: ago(90 * DAY) });
    await world.call({ callId: "call_asked", at: ago(90 * DAY) });
    const named = { callId: null, phoneNumber: null, recordings: 0, createdAt: ago(0) };
    const { begin } = world.deps.erasures;
    await begin({ id: "ers_left", owner: "usr_1", kind: "retention", ...named }, ["call_left"]);
    await begin({ id: "ers_asked", owner: "usr_1", kind: "call", ...named }, ["call_asked"]);
    const calls = { usr_2: [] };
    const behind = retainer({ calls }, { queries: { caughtUp: async () => "behind" } });
    await retentionRound(behind.deps, on);
    expect([behind.asked, world.running().map(({ id }) => id)]).toEqual([[], ["ers_left", "ers_asked"]]);
    const next = retainer({ calls });
    await retentionRound(next.deps, on);
    expect(world.running().map(({ id }) => id)).toEqual(["ers_asked"]);
    expect(next.asked).toHaveLength(1);
    expect(await world.erasedBy("call_left")).toEqual([
      { erasureId: "ers_left", actor: "process:retention", correlationId: "ers_left", owner: "usr_1" },
    ]);
  });
});

describe("retention goes on", () => {
  it.each([
    ["a day", DAY, 60_000],
    ["an hour", 3_600_000, 60_000],
    ["a minute", 60_000, 2_500],
    ["a second", 1_000, 500],
  ])("with a pause by the length of its day: %s", async (_what, dayMillis, pause) => {
    const stop = new AbortController();
    const { deps } = retainer({ calls: {} }, { dayMillis });
    const clock = {
      ...deps.clock,
      sleep: async (millis: number) => {
        pauses.push(millis);
        if (pauses.length === 2) stop.abort();
      },
    };
    await runRetention({ ...deps, clock }, stop.signal);
    expect(pauses).toEqual([pause, pause]);
  });

  it("after a failure, which the log tells, and gives its lease back at the end", async () => {
    const stop = new AbortController();
    const { clock } = world.log;
    const { deps } = retainer({ calls: {} }, { clock });
    const owners = () => Promise.reject(new Error("no connection"));
    const going = runRetention({ ...deps, retention: { ...deps.retention, owners } }, stop.signal);
    await settled();
    expect(world.log.said).toEqual([
      ["warn", "words whose time is over were not erased; tried again", { problem: "Error: no connection" }],
    ]);
    expect(await leases.holder("retention")).toBe(ME);
    stop.abort();
    await going;
    expect(await leases.holder("retention")).toBe(null);
  });

  it("to its end also when its lease cannot be given back", async () => {
    const stop = new AbortController();
    stop.abort();
    const release = () => Promise.reject(new Error("no connection"));
    const { deps } = retainer({ calls: {} });
    await runRetention({ ...deps, leases: { ...leases, release } }, stop.signal);
    expect(world.log.said).toEqual([]);
  });
});
