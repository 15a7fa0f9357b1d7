import { randomUUID } from "node:crypto";
import { EventStoreDBClient } from "@eventstore/db-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type EventStore,
  EventStoreError,
  type EventStoreFailure,
} from "../../../application/ports/event-store.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import { dataOfBytes, exampleEvent, exampleEvents } from "../../support/eventstoredb/example-events.ts";
import { type Follower, follow } from "../../support/eventstoredb/follow.ts";
import { createRecordingLogger } from "../../support/eventstoredb/recording-logger.ts";

/**
 * The facts of docs/log.md §3 that need no injected fault: they run on the protocol
 * server and on a real node.
 */
export function describeOrdinaryFacts(where: string, urlOf: () => string): void {
  describe(where, () => {
    let prefix: string;
    let store: EventStore;
    let operator: EventStoreDBClient;
    let followers: Follower[];

    beforeEach(() => {
      prefix = `facts-${randomUUID()}-`;
      store = createEventStoreDbEventStore(createRecordingLogger(), { url: urlOf(), prefix });
      operator = EventStoreDBClient.connectionString(urlOf());
      followers = [];
    });
    afterEach(async () => {
      await Promise.all(followers.map((follower) => follower.stop()));
      await store.close();
      await operator.dispose();
    });

    const following = (batchSize = 500): Follower => {
      const follower = follow(store, { batchSize });
      followers.push(follower);
      return follower;
    };
    const credentials = { username: "admin", password: "changeit" };

    describe("fact 2: what never settles or means nothing is refused before it is sent", () => {
      const circular = {};
      Object.assign(circular, { itself: circular });
      it.each([
        ["a BigInt", "call-1", [exampleEvent({ data: dataWith(1n) })]],
        ["a cycle", "call-1", [exampleEvent({ data: circular })]],
        ["undefined", "call-1", [exampleEvent({ data: dataWith(undefined) })]],
        ["NUL", "call-1", [exampleEvent({ data: { text: "a\u0000b" } })]],
        ["an empty type", "call-1", [exampleEvent({ type: "" })]],
        ["no events", "call-1", []],
        ["an empty stream name", "", [exampleEvent()]],
      ])("refuses %s", async (_what, stream, events) => {
        expect(await failureOf(store.append(stream, "no_stream", events))).toMatchObject({
          kind: "invalid_event",
        });
        expect(await failureOf(store.read("call-1"))).toEqual({ kind: "not_found", stream: "call-1" });
      });
    });

    it("fact 4: gives 16 callers with the same ids the same answer, and stores them once", async () => {
      const events = exampleEvents(2);
      const answers = await Promise.all(upTo(16).map(() => store.append("call-1", "no_stream", events)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect((await store.read("call-1")).map((event) => event.id)).toEqual(events.map((event) => event.id));
    });

    it("fact 6: delivers every event of bursts in order", async () => {
      await store.append("call-1", "no_stream", exampleEvents(1));
      const follower = following();
      await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
      for (const burst of upTo(5)) await store.append("call-1", burst * 1_000, exampleEvents(1_000));
      await follower.until(() => follower.events.length >= 5_001);
      expect(follower.events.map((event) => event.revision)).toEqual(upTo(5_001));
    });

    it("fact 7: tells caughtUp only with the last event that was there", async () => {
      await store.append("call-1", "no_stream", exampleEvents(100));
      const follower = following(7);
      await follower.until(() => follower.batches.some((batch) => batch.caughtUp));
      const first = follower.batches.findIndex((batch) => batch.caughtUp);
      expect(follower.batches.slice(0, first + 1).flatMap((batch) => batch.events)).toHaveLength(100);
    });

    it("fact 8: tells a missing stream's actual revision as no_stream", async () => {
      const conflict = { kind: "conflict", stream: "call-1", expected: 4, actual: "no_stream" };
      expect(await failureOf(store.append("call-1", 4, exampleEvents(1)))).toEqual(conflict);
    });

    it("fact 9: refuses a repeat with another tail, and one that is longer", async () => {
      const events = exampleEvents(2);
      await store.append("call-1", "no_stream", events);
      const [first] = events;
      if (first === undefined) throw new Error("no event");
      const conflict = { kind: "conflict", actual: 1 };
      const append = (given: typeof events) => failureOf(store.append("call-1", "no_stream", given));
      expect(await append([first, exampleEvent()])).toMatchObject(conflict);
      expect(await append([...events, exampleEvent()])).toMatchObject(conflict);
    });

    describe("fact 10: the limit of one append is 1,048,576 bytes of data", () => {
      const half = 512 * 1024;
      const eventsOf = (...sizes: number[]) =>
        sizes.map((bytes) => exampleEvent({ data: dataOfBytes(bytes) }));

      it("stores exactly that", async () => {
        expect(await store.append("call-1", "no_stream", eventsOf(half, half))).toMatchObject({
          revision: 1,
        });
      });

      it("refuses one byte more, in one event and in one append", async () => {
        const append = (...sizes: number[]) =>
          failureOf(store.append("call-1", "no_stream", eventsOf(...sizes)));
        expect(await append(half + 1)).toMatchObject({ kind: "too_large", what: "event", bytes: half + 1 });
        expect(await append(half, half - 100, 101)).toMatchObject({ kind: "too_large", what: "append" });
      });
    });

    describe("fact 11: positions that are none of this log", () => {
      it.each([
        ["between two events", 1],
        ["far beyond the end", 1_000_000_000],
      ])("refuses one that lies %s", async (_where, offset) => {
        const { position } = await store.append("call-1", "no_stream", exampleEvents(2));
        await store.append("call-1", 1, exampleEvents(1));
        const after = String(Number(position) + offset);
        const refused = { kind: "unavailable", cause: expect.stringMatching(/none of this log/) };
        expect(await failureOf(store.readAll({ after, limit: 10 }))).toEqual(refused);
        expect(await failureOf(follow(store, { after }).until(() => false))).toEqual(refused);
      });
    });

    describe("fact 12 and case 40: streams that an operator deleted", () => {
      it("tells a deleted stream as NotFound, and the revision at which the server goes on", async () => {
        await store.append("call-1", "no_stream", exampleEvents(2));
        await operator.deleteStream(`${prefix}call-1`, { credentials });
        expect(await failureOf(store.read("call-1"))).toEqual({ kind: "not_found", stream: "call-1" });
        expect(await store.append("call-1", "no_stream", exampleEvents(1))).toMatchObject({ revision: 2 });
      });

      it("tells a tombstoned stream as Deleted to readers and writers", async () => {
        await store.append("call-1", "no_stream", exampleEvents(2));
        await operator.tombstoneStream(`${prefix}call-1`, { credentials });
        const deleted = { kind: "deleted", stream: "call-1" };
        expect(await failureOf(store.read("call-1"))).toEqual(deleted);
        expect(await failureOf(store.append("call-1", 1, exampleEvents(1)))).toEqual(deleted);
      });

      it("goes on with a subscription, and shows nothing of the server's own events about it", async () => {
        await store.append("call-1", "no_stream", exampleEvents(1));
        await store.append("call-2", "no_stream", exampleEvents(1));
        const follower = following();
        await follower.until(() => follower.events.length === 2);
        await operator.deleteStream(`${prefix}call-1`, { credentials });
        await operator.tombstoneStream(`${prefix}call-2`, { credentials });
        await store.append("call-3", "no_stream", exampleEvents(1));
        await follower.until(() => follower.events.length >= 3);
        expect(follower.events.map((event) => event.stream)).toEqual(["call-1", "call-2", "call-3"]);
      });
    });

    describe("fact 13: reads of the whole log know no filter", () => {
      it("filters by category, stream, type and owner, and moves over what it leaves out", async () => {
        const { position } = await store.append("call-0", "no_stream", exampleEvents(1));
        const owner = (name: string) =>
          exampleEvent({ metadata: { ...exampleEvent().metadata, owner: name } });
        await store.append("call-1", "no_stream", [
          owner("usr_1"),
          owner("usr_2"),
          exampleEvent({ type: "Other" }),
        ]);
        await store.append("campaign-1", "no_stream", [owner("usr_2")]);
        const last = await store.append("call-2", "no_stream", [owner("usr_2")]);
        const streams = ["call-1", "campaign-1"];
        const filter = { categories: ["call"], streams, types: ["ExampleHappened"], owner: "usr_2" };
        const page = await store.readAll({ after: position, limit: 10, filter });
        expect(page.events.map((event) => [event.stream, event.revision])).toEqual([["call-1", 1]]);
        expect(page).toMatchObject({ next: last.position, atEnd: true });
      });

      it("pages through what is ours without gap or repeat", async () => {
        const { position } = await store.append("call-x", "no_stream", exampleEvents(1));
        for (const n of upTo(5)) await store.append(`call-${n}`, "no_stream", exampleEvents(5));
        const seen: string[] = [];
        for (let after = position, atEnd = false; !atEnd; ) {
          const page = await store.readAll({ after, limit: 7 });
          seen.push(...page.events.map((event) => `${event.stream} ${event.revision}`));
          ({ next: after, atEnd } = page);
        }
        expect(seen).toEqual(upTo(5).flatMap((n) => upTo(5).map((revision) => `call-${n} ${revision}`)));
      });
    });
  });
}

/** Data that the types forbid, as a caller without types could give it. */
function dataWith(n: unknown): JsonObject {
  const data: JsonObject = {};
  return Object.assign(data, { n });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

async function failureOf(work: Promise<unknown>): Promise<EventStoreFailure | "none"> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof EventStoreError) return error.failure;
    throw error;
  }
}
