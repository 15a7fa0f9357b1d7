import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type EventStore,
  EventStoreError,
  type EventStoreFailure,
} from "../../../application/ports/event-store.ts";
import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { exampleEvent, exampleEvents } from "../../support/eventstoredb/example-events.ts";
import type { AppendFault } from "../../support/eventstoredb/faults.ts";
import { createRecordingLogger } from "../../support/eventstoredb/recording-logger.ts";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";

// The facts of docs/log.md §3 about appending that need a fault, provoked on the protocol server.
// Those that need none are in eventstoredb-ordinary-facts.ts.

let server: EventStoreDbServer;
let store: EventStore;

beforeEach(async () => {
  server = await startEventStoreDbServer({ commitTimeoutMs: 100 });
  store = open();
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

function open(options: { attemptTimeoutMillis?: number; budgetMillis?: number } = {}): EventStore {
  return createEventStoreDbEventStore(createRecordingLogger(), {
    url: server.url,
    prefix: "ringfold-",
    ...options,
  });
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

function storedIds(stream: string): string[] {
  return server.log.records
    .filter((record) => record.stream === `ringfold-${stream}`)
    .map((record) => record.id);
}

it("gives an attempt the time that its events take, and does not send again what the node is still taking", async () => {
  const impatient = open({ attemptTimeoutMillis: 100, budgetMillis: 0 });
  server.faults.holdCommits();
  const large = impatient.append("campaign-1", "no_stream", exampleEvents(500));
  await eventually("the large one to be in flight", () => server.counts.append === 1);
  const small = impatient.append("call-1", "no_stream", [exampleEvent()]);
  expect(await failureOf(small)).toMatchObject({ kind: "unavailable" });
  server.faults.releaseCommits();
  expect(await large).toMatchObject({ revision: 499 });
  expect(server.counts).toMatchObject({ append: 2, repeated: 0 });
  await impatient.close();
});

describe("fact 1: two append paths, of which one is safe", () => {
  it("appends on the classic path only", async () => {
    await store.append("call-1", "no_stream", [exampleEvent()]);
    expect(server.counts).toMatchObject({ append: 1, batchAppend: 0 });
  });

  it("refuses a URL with TLS and without user and password, which would fall back to the other path", () => {
    const options = { url: "esdb://127.0.0.1:2113", prefix: "p-" };
    expect(() => createEventStoreDbEventStore(createRecordingLogger(), options)).toThrow(/user and password/);
  });
});

describe("fact 2: what never settles or means nothing", () => {
  it("is refused before anything is sent", async () => {
    const refused = await failureOf(store.append("call-1", "no_stream", [exampleEvent({ type: "" })]));
    expect(refused).toMatchObject({ kind: "invalid_event" });
    expect(server.counts.append).toBe(0);
  });
});

describe("fact 3: no timer of its own, and many errors whose outcome is open", () => {
  const faults: AppendFault[] = [
    "unavailable",
    "not_ready",
    "too_busy",
    "cancelled",
    "not_leader",
    "no_answer",
  ];
  const afterCommit: AppendFault[] = ["commit_no_answer", "commit_unavailable", "commit_timeout"];
  it.each([...faults, ...afterCommit])("repeats an append with the same ids after %s", async (fault) => {
    const impatient = open({ attemptTimeoutMillis: fault.endsWith("no_answer") ? 300 : 5_000 });
    server.faults.nextAppends(fault);
    const events = exampleEvents(2);
    expect(await impatient.append("call-1", "no_stream", events)).toMatchObject({ revision: 1 });
    expect(storedIds("call-1")).toEqual(events.map((event) => event.id));
    await impatient.close();
  });

  it("answers Unavailable when the server stays frozen, and the same append succeeds afterwards", async () => {
    const impatient = open({ attemptTimeoutMillis: 100, budgetMillis: 300 });
    const events = exampleEvents(1);
    server.faults.freeze();
    expect(await failureOf(impatient.append("call-1", "no_stream", events))).toMatchObject({
      kind: "unavailable",
    });
    server.faults.thaw();
    // After a server that did not answer there is one attempt at a time, and 100 ms may be short for
    // it on a busy machine.
    const again = () => impatient.append("call-1", "no_stream", events).catch(() => null);
    expect(await eventually("the append", again)).toMatchObject({ revision: 0 });
    expect(storedIds("call-1")).toHaveLength(1);
    await impatient.close();
  });

  it("answers Unavailable while the server is down", async () => {
    server.kill();
    const impatient = open({ budgetMillis: 200 });
    expect(await failureOf(impatient.append("call-1", "no_stream", exampleEvents(1)))).toMatchObject({
      kind: "unavailable",
    });
    expect(await failureOf(impatient.ping())).toMatchObject({ kind: "unavailable" });
    await impatient.close();
    await server.start();
  });
});

describe("fact 4: a duplicate whose original is in flight", () => {
  it.each(["timeout", "wrong_version"] as const)(
    "gets the original's answer although the server says %s",
    async (answer) => {
      server.faults.answerDuplicatesInFlightWith(answer);
      server.faults.holdCommits();
      const events = exampleEvents(2);
      const both = [store.append("call-1", "no_stream", events), store.append("call-1", "no_stream", events)];
      await eventually("both to arrive", () => server.counts.append >= 2);
      server.faults.releaseCommits();
      const [first, second] = await Promise.all(both);
      expect(second).toEqual(first);
      expect(storedIds("call-1")).toHaveLength(2);
    },
  );

  it("believes a conflict only after it found other ids at the expected place", async () => {
    server.faults.nextAppends("commit_wrong_version");
    const events = exampleEvents(3);
    const answer = await store.append("call-1", "no_stream", events);
    expect(answer).toMatchObject({ revision: 2, position: (await store.read("call-1")).at(-1)?.position });
  });

  it("does not believe a conflict that names the expected revision as the actual one", async () => {
    server.faults.nextAppends("wrong_version");
    expect(await store.append("call-1", "no_stream", exampleEvents(1))).toMatchObject({ revision: 0 });
  });
});

describe("fact 8: what the client says about versions", () => {
  it("refuses a URL that switches the errors of appends off", () => {
    const options = { url: `${server.url}&throwOnAppendFailure=false`, prefix: "p-" };
    expect(() => createEventStoreDbEventStore(createRecordingLogger(), options)).toThrow(
      /throwOnAppendFailure/,
    );
  });

  it("has at most 64 appends in flight", async () => {
    const patient = open({ attemptTimeoutMillis: 20_000 });
    server.faults.holdCommits();
    const appends = Array.from({ length: 200 }, (_, n) =>
      patient.append(`call-${n}`, "no_stream", exampleEvents(1)),
    );
    await eventually("64 to arrive", () => server.counts.append === 64);
    server.faults.releaseCommits();
    await Promise.all(appends);
    expect(server.counts).toMatchObject({ append: 200, maxAppendsAtOnce: 64 });
    await patient.close();
  });
});

describe("fact 9: idempotence by event id, durable at exact expectations", () => {
  it("answers a repeat after a restart as it answered at first", async () => {
    const events = exampleEvents(2);
    const first = await store.append("call-1", "no_stream", events);
    await store.append("call-1", 1, exampleEvents(3));
    await server.restart();
    expect(await store.append("call-1", "no_stream", events)).toEqual(first);
    expect(storedIds("call-1")).toHaveLength(5);
  });
});

describe("fact 10: the limit of one append", () => {
  it("tells a server's own refusal, whose limit counts metadata as well, as TooLarge", async () => {
    server.faults.nextAppends("too_large");
    const failure = await failureOf(store.append("call-1", "no_stream", exampleEvents(1)));
    expect(failure).toMatchObject({ kind: "too_large" });
  });
});
