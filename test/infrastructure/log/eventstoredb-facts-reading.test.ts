import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { dataOfBytes, exampleEvent, exampleEvents } from "../../support/eventstoredb/example-events.ts";
import { type Follower, follow } from "../../support/eventstoredb/follow.ts";
import { createRecordingLogger, type RecordingLogger } from "../../support/eventstoredb/recording-logger.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";

// The facts of docs/log.md §3 about reading, subscribing and leaving that need a fault or a view into the
// server. Those that need neither are in eventstoredb-ordinary-facts.ts.

let server: EventStoreDbServer;
let store: EventStore;
let logger: RecordingLogger;
let followers: Follower[];

beforeEach(async () => {
  server = await startEventStoreDbServer();
  logger = createRecordingLogger();
  followers = [];
  store = open();
});
afterEach(async () => {
  await Promise.all(followers.map((follower) => follower.stop()));
  await store.close();
  await server.stop();
});

function open(options: { attemptTimeoutMillis?: number } = {}): EventStore {
  return createEventStoreDbEventStore(logger, { url: server.url, prefix: "ringfold-", ...options });
}

function following(
  ...args: Parameters<typeof follow> extends [EventStore, ...infer Rest] ? Rest : never
): Follower {
  const follower = follow(store, ...args);
  followers.push(follower);
  return follower;
}

/** Events of somebody else on the same server. */
function foreignEvents(count: number): void {
  const bytes = new Uint8Array();
  const event = () => ({
    id: crypto.randomUUID(),
    type: "T",
    contentType: "application/json",
    data: bytes,
    metadata: bytes,
  });
  for (let n = 0; n < count; n += 1) server.log.append("somebody-else", "any", [event()]);
}

const revisionsOf = (follower: Follower) => follower.events.map((event) => event.revision);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("fact 3: reads and subscriptions have no timer of their own", () => {
  it.each(["unavailable", "not_leader", "unknown", { breakAfter: 3 }] as const)(
    "repeats a read after %j",
    async (fault) => {
      await store.append("call-1", "no_stream", exampleEvents(10));
      server.faults.nextReads(fault);
      expect((await store.read("call-1")).map((event) => event.revision)).toEqual(upTo(10));
    },
  );

  it("goes on with a broken backward read where it was", async () => {
    await store.append("call-1", "no_stream", exampleEvents(10));
    server.faults.nextReads({ breakAfter: 3 }, { breakAfter: 2 });
    const events = await store.read("call-1", { direction: "backward", max: 8 });
    expect(events.map((event) => event.revision)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it("repeats a read and opens a subscription again that are never answered", async () => {
    const impatient = open({ attemptTimeoutMillis: 300 });
    await impatient.append("call-1", "no_stream", exampleEvents(3));
    server.faults.nextReads("no_answer");
    expect(await impatient.read("call-1")).toHaveLength(3);
    server.faults.nextSubscriptions("no_answer");
    const follower = follow(impatient);
    await follower.until(() => follower.events.length === 3);
    await follower.stop();
    await impatient.close();
  });
});

describe("fact 5: the client never resubscribes", () => {
  it("goes on after a broken stream from the last processed position, without gap or repeat", async () => {
    await store.append("call-1", "no_stream", exampleEvents(50));
    server.faults.nextSubscriptions({ breakAfter: 10 }, "unavailable", { breakAfter: 20 });
    const follower = following({ batchSize: 4 });
    await follower.until(() => follower.events.length === 50);
    expect(revisionsOf(follower)).toEqual(upTo(50));
  });

  it("survives a restart of the server and delivers what was appended meanwhile", async () => {
    await store.append("call-1", "no_stream", exampleEvents(5));
    const follower = following();
    await follower.until(() => follower.events.length === 5);
    await server.restart();
    await store.append("call-1", 4, exampleEvents(5));
    await follower.until(() => follower.events.length === 10);
    expect(revisionsOf(follower)).toEqual(upTo(10));
  });

  it("leaves no open call on the server behind: reads that end early, aborted reads, stopped subscriptions", async () => {
    const large = Array.from({ length: 40 }, () => exampleEvent({ data: dataOfBytes(20_000) }));
    // more than the sockets hold
    for (let n = 0; n < 20; n += 1) await store.append(`call-${n}`, "no_stream", large);
    await store.readAll({ after: "", limit: 1 });
    const follower = following();
    await follower.until(() => follower.events.length > 0);
    await follower.stop();
    await eventually("no open stream", () => server.openStreams() === 0);
  });

  it("gives up a read at once when it is aborted, and frees it on the server", async () => {
    const patient = open({ attemptTimeoutMillis: 300_000 });
    const controller = new AbortController();
    server.faults.freeze();
    const read = patient.read("call-1", { signal: controller.signal });
    await eventually("the read to arrive", () => server.openStreams() === 1);
    controller.abort();
    await expect(read).rejects.toMatchObject({ failure: { kind: "unavailable" } });
    await eventually("no open stream", () => server.openStreams() === 0);
    await patient.close();
  });

  it("gives up an append at once when the store is closed", async () => {
    const patient = open({ attemptTimeoutMillis: 300_000 });
    server.faults.freeze();
    const append = patient.append("call-1", "no_stream", exampleEvents(1));
    await eventually("the append to arrive", () => server.counts.append === 1);
    await patient.close();
    await expect(append).rejects.toMatchObject({ failure: { kind: "unavailable" } });
  });

  it("answers Unavailable to everything after it was closed, and ends its subscriptions", async () => {
    const closed = open();
    await closed.close();
    const calls = [
      closed.ping(),
      closed.head(),
      closed.read("call-1"),
      closed.readAll({ after: "", limit: 1 }),
    ];
    for (const call of [...calls, closed.append("call-1", "no_stream", exampleEvents(1))]) {
      await expect(call).rejects.toMatchObject({ failure: { kind: "unavailable" } });
    }
    await follow(closed).stop();
  });
});

describe("fact 6: a burst ends a live subscription", () => {
  it("delivers every event of it in order, and raises no alarm", async () => {
    await store.append("call-1", "no_stream", exampleEvents(1));
    const follower = following();
    await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
    for (let burst = 0; burst < 5; burst += 1)
      await store.append("call-1", burst * 1_000, exampleEvents(1_000));
    await follower.until(() => follower.events.length >= 5_001);
    expect(revisionsOf(follower)).toEqual(upTo(5_001));
    expect(logger.lines.filter((line) => line.level === "debug").length).toBeGreaterThan(0);
    expect(logger.lines.filter((line) => line.level !== "debug")).toEqual([]);
  });

  it("lets a slow consumer get on, dropped as often as it may be", async () => {
    await store.append("call-1", "no_stream", exampleEvents(1));
    const follower = following({ batchSize: 10 }, async () => server.faults.dropSubscriptions());
    await store.append("call-1", 0, exampleEvents(300));
    await follower.until(() => follower.events.length >= 301);
    expect(revisionsOf(follower)).toEqual(upTo(301));
  });
});

it("a subscription that many follow gives what comes one by one, hundred a second, in ten batches of a second", async () => {
  await store.append("call-1", "no_stream", exampleEvents(1));
  const follower = following({ isAwaited: () => false });
  await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
  await store.append("call-1", 0, exampleEvents(30));
  await follower.until(() => follower.events.length === 31);
  const before = follower.batches.length;
  const began = performance.now();
  for (let revision = 30; revision < 130; revision += 1) {
    await store.append("call-1", revision, exampleEvents(1));
    await delay(10);
  }
  await follower.until(() => follower.events.length === 131);
  const hundredths = (performance.now() - began) / 100;
  // the first waits are shorter: 30 events are not yet a busy second
  expect(follower.batches.length - before).toBeLessThanOrEqual(hundredths + 3);
});

describe("fact 7: checkpoints and caughtUp come before what they stand behind", () => {
  it("never tells a position ahead of an event that is still to come", async () => {
    for (let round = 0; round < 20; round += 1) {
      foreignEvents(97);
      await store.append(`call-${round}`, "no_stream", exampleEvents(2));
    }
    const follower = following({ batchSize: 3 });
    await follower.until(() => follower.events.length === 40);
    let reached = "";
    for (const batch of follower.batches) {
      for (const event of batch.events) expect(store.comparePositions(event.position, reached)).toBe(1);
      reached = batch.position;
    }
  });

  it("moves the position over other traffic", async () => {
    await store.append("call-1", "no_stream", exampleEvents(1));
    const follower = following();
    await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
    const last = follower.events.at(-1)?.position ?? "";
    await eventually("a checkpoint", () => {
      foreignEvents(10); // fewer than the server's live buffer holds
      return store.comparePositions(follower.batches.at(-1)?.position ?? "", last) > 0;
    });
    expect(follower.events).toHaveLength(1);
  });

  it("is caught up at once in a log without an event of ours", async () => {
    foreignEvents(3);
    const follower = following();
    await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
    expect(follower.events).toEqual([]);
  });
});

describe("fact 13: reads of the whole log know no filter", () => {
  it("does not take an exception of the server for a position that is none of its log", async () => {
    const { position } = await store.append("call-1", "no_stream", exampleEvents(1));
    await store.append("call-1", 0, exampleEvents(1));
    server.faults.nextReads("unknown", "unknown", "unavailable");
    expect(await store.readAll({ after: position, limit: 5 })).toMatchObject({ events: [{ revision: 1 }] });
  });

  it("ends a page after 5,000 events although the filter matched none", async () => {
    const { position } = await store.append("call-0", "no_stream", exampleEvents(1));
    foreignEvents(6_000);
    await store.append("call-1", "no_stream", exampleEvents(1));
    const page = await store.readAll({ after: position, limit: 10 });
    expect(page).toMatchObject({ events: [], atEnd: false });
    expect(await store.readAll({ after: page.next, limit: 10 })).toMatchObject({
      events: [{ stream: "call-1" }],
      atEnd: true,
    });
  });

  it("tells the last event of ours as the head, under other traffic", async () => {
    expect(await store.head()).toBe("");
    const { position } = await store.append("call-1", "no_stream", exampleEvents(2));
    foreignEvents(100);
    expect(await store.head()).toBe(position);
  });
});

describe("fact 14: dispose does not close the channel", () => {
  const program = fileURLToPath(new URL("../../support/eventstoredb/use-and-close.ts", import.meta.url));
  it.each(["answering", "frozen", "killed"])(
    "ends by itself at SIGTERM with calls in flight on a server that is %s",
    async (state) => {
      const child = spawn(process.execPath, [program, server.url], { stdio: ["pipe", "pipe", "inherit"] });
      let said = "";
      child.stdout.on("data", (text) => {
        said += text;
      });
      await eventually("the program to run", () => said.includes("running"));
      if (state === "frozen") server.faults.freeze();
      if (state === "killed") server.kill();
      child.stdin.write("go\n");
      await eventually("calls in flight", () => said.includes("in flight"));
      child.kill("SIGTERM");
      const [code, signal] = await once(child, "exit");
      expect({ code, signal, closed: said.includes("closed") }).toEqual({
        code: 0,
        signal: null,
        closed: true,
      });
    },
  );
});
