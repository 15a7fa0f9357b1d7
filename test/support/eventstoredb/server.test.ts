import { randomUUID } from "node:crypto";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "./server.ts";

// What docs/log.md §3 says of the node beyond the scenarios of observed.json: why the adapter is as it is.

let server: EventStoreDbServer;
let client: EventStoreDBClient;

beforeEach(async () => {
  server = await startEventStoreDbServer();
  client = EventStoreDBClient.connectionString(server.url);
});
afterEach(async () => {
  await client.dispose();
  await server.stop();
});

const classic = { credentials: { username: "any", password: "any" } };
const eventsOf = (...ids: string[]) => ids.map((id) => jsonEvent({ id, type: "T", data: {} }));
const recordsOf = (stream: string) => server.log.records.filter((record) => record.stream === stream);

describe("fact 9: with `any` the ids are remembered in memory only", () => {
  const append = (id: string) =>
    client.appendToStream("s", eventsOf(id), { expectedRevision: "any", ...classic });

  it("stores a repeat once while the server runs", async () => {
    const id = randomUUID();
    expect(await append(id)).toMatchObject({ nextExpectedRevision: 0n });
    expect(await append(id)).toMatchObject({ nextExpectedRevision: 0n });
    expect(recordsOf("s")).toHaveLength(1);
  });

  it("stores a repeat again after a restart", async () => {
    const id = randomUUID();
    await append(id);
    await server.restart();
    await eventually("an answer", () => append(id).catch(() => null));
    expect(recordsOf("s")).toHaveLength(2);
  });
});

describe("fact 3: what is never answered", () => {
  it("leaves ids repeated in another order with `any` to the caller's deadline", async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const options = { expectedRevision: "any", deadline: 300, ...classic } as const;
    await client.appendToStream("s", eventsOf(a, b), { ...options, deadline: 10_000 });
    await expect(client.appendToStream("s", eventsOf(b, a), options)).rejects.toMatchObject({
      type: "deadline-exceeded",
    });
  });
});

describe("fact 10: beyond 16 MiB the server does not say what was wrong", () => {
  it("answers UnknownError RESOURCE_EXHAUSTED", async () => {
    const event = jsonEvent({ type: "T", data: { x: "x".repeat(17 * 1024 * 1024) } });
    const append = client.appendToStream("s", event, { expectedRevision: "no_stream", ...classic });
    await expect(append).rejects.toMatchObject({ type: "unknown", code: 8 });
  });
});

describe("fact 11: a position far beyond the end", () => {
  it("is accepted silently, and later events below it are delivered", async () => {
    const seen: string[] = [];
    const subscription = client.subscribeToAll({ fromPosition: { commit: 1_000_000n, prepare: 1_000_000n } });
    subscription.on("error", () => undefined);
    subscription.on("data", ({ event }) => seen.push(event?.streamId ?? ""));
    await eventually("the subscription", () => server.openStreams() === 1);
    await client.appendToStream("s", eventsOf(randomUUID()), { expectedRevision: "no_stream", ...classic });
    await eventually("the event", () => seen.length === 1);
    expect(seen).toEqual(["s"]);
    await subscription.unsubscribe();
  });
});

describe("the expectation stream_exists", () => {
  it("is met only by a stream that has events", async () => {
    const append = (stream: string) =>
      client.appendToStream(stream, eventsOf(randomUUID()), {
        expectedRevision: "stream_exists",
        ...classic,
      });
    await expect(append("s")).rejects.toMatchObject({
      type: "wrong-expected-version",
      actualVersion: "no_stream",
    });
    await client.appendToStream("s", eventsOf(randomUUID()), { expectedRevision: "no_stream", ...classic });
    expect(await append("s")).toMatchObject({ nextExpectedRevision: 1n });
  });
});
