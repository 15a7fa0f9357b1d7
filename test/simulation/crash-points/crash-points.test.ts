import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { aroundEffects } from "../../../simulation/crash-points/around.ts";
import { crashPointsOf } from "../../../simulation/crash-points/crash-points.ts";
import {
  crashingCommits,
  crashingEventStore,
  crashingLeases,
} from "../../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../../simulation/crash-points/with-crash-points.ts";
import { createMemoryLeases } from "../../../simulation/memory/leases.ts";
import { movingClock } from "../../support/moving-clock.ts";

/** What happens, in its order: points and effects. */
function watched() {
  const seen: string[] = [];
  return { seen, around: aroundEffects({ reached: (point) => void seen.push(point) }) };
}

describe("without CRASH_AT", () => {
  it("a port is itself", () => {
    const port = createMemoryLeases(movingClock());
    expect(withCrashPointsAt(crashPointsOf(null))(port, crashingLeases)).toBe(port);
  });
});

describe("a point", () => {
  it("stands before an effect and after it; a failed effect has no after", async () => {
    const { seen, around } = watched();
    expect(await around("a.b", async () => seen.push("effect"))).toBe(2);
    await expect(around("a.c", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(seen).toEqual(["a.b.before", "effect", "a.b.after", "a.c.before"]);
  });

  it("leaves an effect in the turn in which it was asked for", () => {
    const { seen, around } = watched();
    void around("a.b", async () => seen.push("effect"));
    expect(seen).toEqual(["a.b.before", "effect"]);
  });

  it("holds who comes by until what it waits for has come", async () => {
    const held = Promise.withResolvers<void>();
    let isDone = false;
    const around = aroundEffects({ reached: (point) => (point === "a.b.before" ? held.promise : undefined) });
    const work = around("a.b", async () => {
      isDone = true;
    });
    await Promise.resolve();
    expect(isDone).toBe(false);
    held.resolve();
    await work;
    expect(isDone).toBe(true);
  });

  it("of an append is named by each type of its events, once", async () => {
    const { seen, around } = watched();
    const append: EventStore["append"] = async () => ({ revision: 2, position: "3" });
    const store = crashingEventStore({ append } as unknown as EventStore, around);
    const event = (type: string) => ({ id: type, type, data: {}, metadata: {} as never });
    await store.append("call-1", "no_stream", [event("A"), event("B"), event("A")]);
    expect(seen).toEqual([
      "eventStore.append.A.before",
      "eventStore.append.B.before",
      "eventStore.append.B.after",
      "eventStore.append.A.after",
    ]);
  });

  it("of a lease is named by what it is for, and one that others hold has no after", async () => {
    const { seen, around } = watched();
    const leases = crashingLeases(createMemoryLeases(movingClock()), around);
    expect(await leases.acquire("campaign:1", "one", 1_000)).toBe(true);
    expect(await leases.acquire("campaign:1", "two", 1_000)).toBe(false);
    expect(seen).toEqual([
      "leases.acquire.campaign.before",
      "leases.acquire.campaign.after",
      "leases.acquire.campaign.before",
    ]);
  });

  it("of rows stands at the commit of a transaction that moves a checkpoint, and at no other", async () => {
    const { seen, around } = watched();
    const query = async (text: string) => void seen.push(text);
    const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined };
    const rows = crashingCommits(pool as never, around);
    const transaction = async (statement: string) => {
      const client = await rows.connect();
      for (const text of ["begin", statement, "commit"]) await client.query(text, []);
    };
    await transaction("create table t ()");
    await transaction("update /* prepared */ read.checkpoints as old set position = 1");
    expect(seen.filter((each) => each.startsWith("readRows"))).toEqual([
      "readRows.commit.before",
      "readRows.commit.after",
    ]);
    expect(seen.slice(-3)).toEqual(["readRows.commit.before", "commit", "readRows.commit.after"]);
  });
});
