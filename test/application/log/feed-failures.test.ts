import { describe, expect, it } from "vitest";
import { type EventStore, EventStoreError, START } from "../../../application/ports/event-store.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { eagerFollower, followedLog, follower, positionsOf, settled } from "./followed-log.ts";

/** The subscription begins at the end, so that a follower from the start has to read by itself. */
async function behindIts(wrap: (log: EventStore) => EventStore, events = 2) {
  const world = followedLog({ wrap });
  const head = await world.append(events);
  const atEnd = eagerFollower(world.feed, head);
  await settled();
  return { ...world, atEnd };
}

const away = () => new EventStoreError({ kind: "unavailable", cause: "restarting" });

describe("a subscription that breaks", () => {
  it("is told to the operator, and tried again from where it was after 500 ms", async () => {
    let broken = false;
    const wrap = (log: EventStore): EventStore => ({
      ...log,
      subscribe: (options) => {
        if (!broken) return log.subscribe(options);
        throw away();
      },
    });
    broken = true;
    const { append, feed, lines, pass, subscribed } = followedLog({ wrap });
    await append(1);
    const { positions } = eagerFollower(feed);
    await pass(499);
    expect(subscribed).toHaveLength(1);
    expect(lines).toEqual([
      { fields: { error: String(away()) }, message: "feed interrupted, subscribing again" },
    ]);
    broken = false;
    await pass(1);
    expect(subscribed).toHaveLength(2);
    expect(positions()).toEqual(["1"]);
  });
});

describe("a follower that reads by itself", () => {
  it("is told of the end only when it has come to the subscription", async () => {
    const { feed } = await behindIts((log) => log);
    const { batches } = eagerFollower(feed);
    await settled();
    expect(batches.map((batch) => [positionsOf(batch), batch.caughtUp])).toEqual([
      [["1", "2"], false],
      [[], true],
    ]);
  });

  it("tries again after 500 ms when the log cannot be read, and says why", async () => {
    let failures = 2;
    const { feed, lines, pass, reads } = await behindIts((log) => ({
      ...log,
      readAll: async (options) => {
        failures -= 1;
        if (failures >= 0) throw away();
        return log.readAll(options);
      },
    }));
    const { positions } = eagerFollower(feed);
    await pass(499);
    expect(reads).toHaveLength(1);
    expect(lines).toEqual([
      { fields: { error: String(away()) }, message: "feed could not read, tries again" },
    ]);
    await pass(1);
    await pass(500);
    expect(positions()).toEqual(["1", "2"]);
    expect(reads).toHaveLength(3);
  });

  it("that is told to stop while it reads ends without a word about a failure", async () => {
    const { feed, lines } = await behindIts((log) => ({
      ...log,
      readAll: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(away()))),
    }));
    const { stop, take } = follower(feed);
    const taking = take();
    stop.abort();
    expect(await taking).toBeNull();
    expect(lines).toEqual([]);
  });

  it("that is told to stop while it reads is handed nothing any more", async () => {
    const gate = Promise.withResolvers<void>();
    const { feed } = await behindIts((log) => ({
      ...log,
      readAll: async (options) => {
        const page = await log.readAll(options);
        await gate.promise;
        return page;
      },
    }));
    const { stop, take } = follower(feed);
    const taking = take();
    await settled();
    stop.abort();
    gate.resolve();
    expect(await taking).toBeNull();
  });

  it("asks no more than each 250 ms for what lies between positions of others, and at once when something came", async () => {
    const { append, feed, pass, reads } = followedLog();
    eagerFollower(feed, "3");
    await settled();
    const { positions } = eagerFollower(feed);
    await pass(249);
    expect(reads).toEqual([START]);
    await pass(1);
    expect(reads).toEqual([START, START]);
    await append(4);
    expect(positions()).toEqual(["1", "2", "3", "4"]);
  });
});

it("passes over what it cannot read: damaged events are told, counted and parked, unknown ones counted", async () => {
  const { append, counted, feed, lines, memory, parked } = followedLog();
  const metadata = { correlationId: "c", causationId: null, actor: "test", owner: "usr_1", schemaVersion: 1 };
  await memory.append("call-call_x", "no_stream", [
    { id: systemIds.uuid(), type: "FromTheFuture", data: {}, metadata },
    { id: systemIds.uuid(), type: "CallRinging", data: { nonsense: true }, metadata },
  ]);
  await append(1);
  const { positions } = eagerFollower(feed);
  await settled();
  expect(positions()).toEqual(["3"]);
  const problem: unknown = expect.any(String);
  expect(counted).toEqual([
    { name: "ringfold_unknown_events_total", type: "FromTheFuture" },
    { name: "ringfold_damaged_events_total", type: "CallRinging" },
  ]);
  expect(parked).toEqual([{ position: "2", problem }]);
  expect(lines).toEqual([
    {
      fields: { position: "2", type: "CallRinging", stream: "call-call_x", revision: 1, problem },
      message: "damaged event passed over",
    },
  ]);
});
