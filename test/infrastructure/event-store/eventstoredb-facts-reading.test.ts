import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EventStore, isEventStoreFailure } from "../../../application/ports/event-store.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/event-store/eventstoredb.ts";
import { dataOfBytes, exampleEvent, exampleEvents } from "../../support/eventstoredb/example-events.ts";
import { type Follower, follow } from "../../support/eventstoredb/follow.ts";
import { createRecordingLogger, type RecordingLogger } from "../../support/eventstoredb/recording-logger.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";
import { eventually } from "../../support/eventually.ts";

// The facts of event-log.md §3 that concern reading, subscribing and leaving, each provoked on the protocol server.

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

function open(options: { attemptTimeoutMs?: number } = {}): EventStore {
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
  it.each(["unavailable", "not_leader", { breakAfter: 3 }] as const)(
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
    const impatient = open({ attemptTimeoutMs: 300 });
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
    for (let n = 0; n < 20; n += 1) await store.append(`call-${n}`, "no_stream", large); // more than the sockets hold
    await store.readAll({ after: "", limit: 1 });
    const follower = following();
    await follower.until(() => follower.events.length > 0);
    await follower.stop();
    server.faults.freeze();
    await store.read("call-1", { signal: AbortSignal.timeout(20) }).catch(() => undefined);
    await eventually("no open stream", () => server.openStreams() === 0);
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

  it("tells caughtUp only with the last event that was there", async () => {
    await store.append("call-1", "no_stream", exampleEvents(100));
    const follower = following({ batchSize: 7 });
    await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
    const first = follower.batches.findIndex((batch) => batch.caughtUp);
    expect(follower.batches.slice(0, first + 1).flatMap((batch) => batch.events)).toHaveLength(100);
  });

  it("is caught up at once in a log without an event of ours", async () => {
    foreignEvents(3);
    const follower = following();
    await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
    expect(follower.events).toEqual([]);
  });
});

describe("fact 11: positions that are none of this log", () => {
  const none = async (after: string): Promise<[unknown, unknown]> => {
    const page = await store.readAll({ after, limit: 10 }).catch((error: unknown) => error);
    const subscribed = await follow(store, { after })
      .until(() => false)
      .catch((error: unknown) => error);
    return [page, subscribed];
  };

  it.each([
    ["between two events", 1],
    ["far beyond the end", 1_000_000],
  ])("refuses one that lies %s", async (_where, offset) => {
    const { position } = await store.append("call-1", "no_stream", exampleEvents(2));
    await store.append("call-1", 1, exampleEvents(1));
    const [page, subscribed] = await none(String(Number(position) + offset));
    expect(isEventStoreFailure(page, "unavailable") && page.failure.cause).toMatch(/none of this log/);
    expect(isEventStoreFailure(subscribed, "unavailable") && subscribed.failure.cause).toMatch(
      /none of this log/,
    );
  });
});

describe("fact 12 and case 40: a stream that an operator deleted or tombstoned", () => {
  it("does not stop a subscription, and the server's own events about it stay unseen", async () => {
    await store.append("call-1", "no_stream", exampleEvents(2));
    await store.append("call-2", "no_stream", exampleEvents(2));
    const follower = following();
    await follower.until(() => follower.events.length === 4);
    server.log.softDelete("ringfold-call-1");
    server.log.tombstone("ringfold-call-2");
    await store.append("call-3", "no_stream", exampleEvents(1));
    await follower.until(() => follower.events.length >= 5);
    expect(follower.events.map((event) => event.stream)).toEqual([
      "call-1",
      "call-1",
      "call-2",
      "call-2",
      "call-3",
    ]);
  });
});

describe("fact 13: reads of the whole log know no filter", () => {
  it("filters by category, stream, type and owner, and moves over what it leaves out", async () => {
    const owner = (name: string) => exampleEvent({ metadata: { ...exampleEvent().metadata, owner: name } });
    foreignEvents(3);
    await store.append("call-1", "no_stream", [
      owner("usr_1"),
      owner("usr_2"),
      exampleEvent({ type: "Other" }),
    ]);
    const last = await store.append("campaign-1", "no_stream", [owner("usr_1")]);
    const all = {
      categories: ["call"],
      streams: ["call-1", "campaign-1"],
      types: ["ExampleHappened"],
      owner: "usr_2",
    };
    const page = await store.readAll({ after: "", limit: 10, filter: all });
    expect(page.events.map((event) => [event.stream, event.revision])).toEqual([["call-1", 1]]);
    expect(page).toMatchObject({ next: last.position, atEnd: true });
  });

  it("pages through the whole log without gap or repeat", async () => {
    for (let n = 0; n < 5; n += 1) await store.append(`call-${n}`, "no_stream", exampleEvents(5));
    const seen: string[] = [];
    for (
      let page = await store.readAll({ after: "", limit: 7 });
      ;
      page = await store.readAll({ after: page.next, limit: 7 })
    ) {
      seen.push(...page.events.map((event) => `${event.stream} ${event.revision}`));
      if (page.atEnd) break;
    }
    expect(seen).toEqual(upTo(5).flatMap((n) => upTo(5).map((revision) => `call-${n} ${revision}`)));
  });

  it("ends a page after 5,000 events although the filter matched none", async () => {
    foreignEvents(6_000);
    await store.append("call-1", "no_stream", exampleEvents(1));
    const page = await store.readAll({ after: "", limit: 10 });
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
