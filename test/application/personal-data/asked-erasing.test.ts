import { beforeEach, describe, expect, it } from "vitest";
import { createErasing, type ErasingDeps } from "../../../application/personal-data/erasing.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import { SubjectKeyError } from "../../../application/ports/subject-keys.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { AT, type MemoryErasing, memoryErasing, settled } from "./memory-erasing.ts";

const OWNER = "usr_1";
const NUMBER = "+15005550006";
const CALLER = { owner: OWNER, actor: "key_1", correlationId: "req_1" } as const;
const BY_NUMBER = { kind: "phone_number", phoneNumber: NUMBER } as const;
const byCall = (callId: CallId) => ({ kind: "call", callId }) as const;
type Page = Awaited<ReturnType<Queries["calls"]>>;
type Shown = NonNullable<Awaited<ReturnType<Queries["call"]>>>;

let world: MemoryErasing;
/** What the read models were asked. */
let asked: unknown[];
beforeEach(() => {
  world = memoryErasing();
  asked = [];
});

/** The rows of the read models have what is asked of them here, and no more. */
const row = (shown: Pick<Shown, "callId" | "endedAt" | "recordingStatus">) => shown as Shown;

function erasing(
  shown: readonly Shown[] = [],
  {
    caughtUp = "all",
    ...changes
  }: Partial<Omit<ErasingDeps, "queries">> & { caughtUp?: "all" | "served" | "behind" } = {},
) {
  return createErasing({
    ...world.deps,
    requireOpen: () => undefined,
    queries: {
      call: async (owner, callId) => {
        asked.push(["call", owner, callId]);
        return shown.find((each) => each.callId === callId) ?? null;
      },
      calls: async (owner, filter, { limit, after }) => {
        asked.push(["calls", owner, filter, limit, after]);
        const from = after === null ? 0 : shown.findIndex(({ callId }) => callId === after) + 1;
        const rows = shown.slice(from, from + limit);
        const next = from + limit < shown.length ? (rows.at(-1)?.callId ?? null) : null;
        return { rows, next } as Page;
      },
      caughtUp: async (position, millis) => {
        asked.push(["caughtUp", position, millis]);
        return caughtUp;
      },
    },
    ...changes,
  });
}

describe("the words of one call", () => {
  it("are erased in the name of who asked, and the erasure is told", async () => {
    await world.call({ callId: "call_1", recorded: true });
    const answer = await erasing().erase(CALLER, "ers_1", byCall("call_1"));
    expect(answer).toEqual({
      kind: "erasure",
      erasure: {
        ...{ id: "ers_1", owner: OWNER, kind: "call", callId: "call_1", phoneNumber: null, status: "done" },
        ...{ calls: 1, recordings: 1, deliveries: 0 },
        ...{ createdAt: world.log.clock.now(), completedAt: world.log.clock.now() },
      },
    });
    expect(await world.erasedBy("call_1")).toEqual([{ erasureId: "ers_1", ...CALLER }]);
    const steps = ["begin", "lines", "keys", "recordings", "files", "clear", "finish"];
    expect(world.done).toEqual(steps.map((step) => `${step} call_1`));
  });

  it("are not erased while the call lives, nor where nobody may write", async () => {
    await world.call({ callId: "call_live", endedAt: null });
    expect(await erasing().erase(CALLER, "ers_1", byCall("call_live"))).toEqual({
      kind: "live",
      callIds: ["call_live"],
    });
    const requireOpen = () => {
      throw new Error("only reading");
    };
    await world.call({ callId: "call_1" });
    const closed = erasing([], { requireOpen });
    await expect(closed.erase(CALLER, "ers_1", byCall("call_1"))).rejects.toThrow("only reading");
    expect([world.done, await world.erasedBy("call_live"), await world.erasedBy("call_1")]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("are begun once for an id, and go on under it", async () => {
    await world.call({ callId: "call_1" });
    const again = () => erasing().erase(CALLER, "ers_1", byCall("call_1"));
    const first = await again();
    expect(await again()).toEqual(first);
    expect(world.done.filter((what) => what.startsWith("begin"))).toHaveLength(1);
    expect(world.done.filter((what) => what.startsWith("finish"))).toHaveLength(1);
    await world.call({ callId: "call_2" });
    const erasure = { id: "ers_2", owner: OWNER, kind: "call", callId: "call_2", phoneNumber: null } as const;
    await world.deps.erasures.begin({ ...erasure, recordings: 0, createdAt: AT }, ["call_2"]);
    expect(await erasing().erase(CALLER, "ers_2", byCall("call_2"))).toMatchObject({
      erasure: { id: "ers_2", status: "done" },
    });
  });

  it("go on by themselves after 20 s, and the answer says that they do", async () => {
    await world.call({ callId: "call_1" });
    const slow = Promise.withResolvers<void>();
    const files = { remove: () => slow.promise };
    let answer: unknown = null;
    const answered = erasing([], { files })
      .erase(CALLER, "ers_1", byCall("call_1"))
      .then((given) => {
        answer = given;
      });
    await settled();
    world.log.clock.advance(19_999);
    await settled();
    expect(answer).toBe(null);
    world.log.clock.advance(1);
    await answered;
    expect(answer).toMatchObject({ kind: "erasure", erasure: { status: "running", completedAt: null } });
    slow.resolve();
    await settled();
    expect((await erasing().list(OWNER, { limit: 1, after: null })).rows).toMatchObject([
      { id: "ers_1", status: "done" },
    ]);
  });

  it("are known of their owner's calls alone", async () => {
    await world.call({ callId: "call_1" });
    await world.call({ callId: "call_other", owner: "usr_2" });
    const { isKnown } = erasing();
    const known = await Promise.all(
      (["call_1", "call_other", "call_none"] as const).map((callId) => isKnown(OWNER, callId)),
    );
    expect(known).toEqual([true, false, false]);
    await erasing().erase(CALLER, "ers_1", byCall("call_other"));
    expect(await world.erasedBy("call_other")).toEqual([]);
  });
});

describe("the words of every call to a number", () => {
  it("are erased of all its calls, page after page, and the recordings among them counted", async () => {
    const ids = Array.from({ length: 450 }, (_, index): CallId => `call_${index}`);
    for (const [index, callId] of ids.entries()) await world.call({ callId, recorded: index % 100 === 7 });
    const rows = ids.map((callId) => row({ callId, endedAt: AT, recordingStatus: "none" }));
    const answer = await erasing(rows).erase(CALLER, "ers_1", BY_NUMBER);
    expect(answer).toMatchObject({
      kind: "erasure",
      erasure: {
        ...{ kind: "phone_number", callId: null, phoneNumber: NUMBER, status: "done" },
        ...{ calls: 450, recordings: 5 },
      },
    });
    const head = asked[0];
    expect(head).toMatchObject(["caughtUp", expect.anything(), 5_000]);
    expect(asked.slice(1, 4)).toEqual([
      ["calls", OWNER, { to: NUMBER }, 200, null],
      ["calls", OWNER, { to: NUMBER }, 200, "call_199"],
      ["calls", OWNER, { to: NUMBER }, 200, "call_399"],
    ]);
    for (const callId of ["call_0", "call_449"] as const)
      expect(await world.erasedBy(callId)).toHaveLength(1);
    expect(world.erasedKeys).toEqual(new Set(ids));
  });

  it("are not erased while the read models are behind", async () => {
    await world.call({ callId: "call_1" });
    const rows = [row({ callId: "call_1", endedAt: AT, recordingStatus: "none" })];
    const behind = erasing(rows, { caughtUp: "behind" });
    expect(await behind.erase(CALLER, "ers_1", BY_NUMBER)).toEqual({ kind: "behind" });
    expect([asked.length, world.done]).toEqual([1, []]);
    await erasing(rows, { caughtUp: "served" }).erase(CALLER, "ers_2", BY_NUMBER);
    expect(world.done).toContain("begin call_1");
  });

  it("are not erased of any while one of them lives: those are named", async () => {
    const ids: readonly CallId[] = ["call_1", "call_2", "call_3"];
    for (const callId of ids) await world.call({ callId, endedAt: callId === "call_1" ? AT : null });
    const rows = ids.map((callId) => row({ callId, endedAt: AT, recordingStatus: "none" }));
    expect(await erasing(rows).erase(CALLER, "ers_1", BY_NUMBER)).toEqual({
      kind: "live",
      callIds: ["call_2", "call_3"],
    });
    expect(world.done).toEqual([]);
  });

  it("that cannot be decrypted are judged by what is shown of them, and erased all the same", async () => {
    const ids: readonly CallId[] = ["call_shown", "call_recorded", "call_not_shown"];
    for (const callId of ids) await world.call({ callId });
    const shown = [
      row({ callId: "call_shown", endedAt: AT, recordingStatus: "pending" }),
      row({ callId: "call_recorded", endedAt: AT, recordingStatus: "available" }),
    ];
    const calls = unreadable();
    const { isKnown, erase } = erasing(shown, { calls });
    expect(await Promise.all(ids.map((callId) => isKnown(OWNER, callId)))).toEqual([true, true, false]);
    expect(asked).toEqual(ids.map((callId) => ["call", OWNER, callId]));
    expect(await erase(CALLER, "ers_1", BY_NUMBER)).toMatchObject({
      erasure: { calls: 2, recordings: 1, status: "done" },
    });
    expect(await world.erasedBy("call_recorded")).toEqual([{ erasureId: "ers_1", ...CALLER }]);
    const live = [row({ callId: "call_not_shown", endedAt: null, recordingStatus: "none" })];
    expect(await erasing(live, { calls }).erase(CALLER, "ers_2", BY_NUMBER)).toEqual({
      kind: "live",
      callIds: ["call_not_shown"],
    });
  });

  it("stay while the log does not answer, and nothing is begun", async () => {
    const unavailable = new EventStoreError({ kind: "unavailable", cause: "down" });
    const calls = { ...world.deps.calls, query: () => Promise.reject(unavailable) };
    await expect(erasing([], { calls }).erase(CALLER, "ers_1", byCall("call_1"))).rejects.toThrow(
      unavailable,
    );
    expect([asked, world.done]).toEqual([[], []]);
  });
});

/** The log's calls, whose words do not open until their keys are erased. */
function unreadable(): ErasingDeps["calls"] {
  const { calls } = world.deps;
  const opened = (stream: string) => {
    if (!world.erasedKeys.has(stream.slice("call-".length) as CallId)) throw new SubjectKeyError("no key");
  };
  return {
    ...calls,
    query: async (stream, ...rest) => {
      opened(stream);
      return calls.query(stream, ...rest);
    },
    handle: async (stream, ...rest) => {
      opened(stream);
      return calls.handle(stream, ...rest);
    },
  };
}
