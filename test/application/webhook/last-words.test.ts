import { beforeEach, describe, expect, it } from "vitest";
import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import { replayedCalls } from "../../../application/webhook/replayed-calls.ts";
import type { CallListRecord } from "../../../contract/call.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { callRecord } from "../../../projections/calls/call-queries.ts";
import { type CallRow, projectCall } from "../../../projections/calls/call-row.ts";
import {
  callEnd,
  callRequest,
  connected,
  judged,
  sessionBegan,
  sessionEnded,
  spoken,
} from "../../projections/example-events.ts";
import { type MemoryLog, memoryLog } from "../../support/memory-log.ts";
import { engineProcess, OWNER, pass, type Stores, sharedStores, until } from "../engine-world.ts";

const AT_ONCE_MILLIS = 250;
const callId: CallId = "call_1";

let stores: Stores;
let one: ReturnType<typeof engineProcess>;
let log: MemoryLog<Stores["clock"]>;
beforeEach(() => {
  stores = sharedStores();
  stores.keys.remember([stores.keys.draw(callId, OWNER)]);
  log = memoryLog(stores);
  one = engineProcess(stores);
});

const bodies = () => [...stores.outbox.deliveries.values()].map(({ entry }) => JSON.parse(entry.body));
const told = () => bodies().map(({ event }) => event);
const now = () => ({ callId, at: stores.clock.now(), epoch: 1 });

/** What the process with the session appends. */
async function appends(...events: readonly CallEvent[]): Promise<void> {
  await until(stores, log.store(callStream(callId), ...events));
}

/**
 * A single call that has just ended, with a session that has not said so; its recording is to
 * come unless `recorded`.
 */
async function ended(recorded = true): Promise<void> {
  const { at } = now();
  const asked = { callId, owner: OWNER, campaignId: null, contactId: null, attempt: 1, at };
  await appends(callRequest(asked), connected(callId, at, "ref"), sessionBegan(now(), null));
  await appends(callEnd(callId, at, "customer_ended", 5));
  if (recorded) await appends(recording());
}

function recording(): CallEvent {
  const data = { callId, at: stores.clock.now(), carrierRef: "ref", sequence: 9 };
  return { type: "CallRecordingAvailable", data: { ...data, status: "available", recordingRef: "rec" } };
}

async function recordNow(): Promise<CallListRecord> {
  let row: CallRow | undefined;
  for await (const recorded of recordedEvents(log, callStream(callId))) row = projectCall(row, recorded);
  if (row?.request == null) throw new Error("there is no call");
  return callRecord("", { request: row.request, progress: row.progress }, []);
}

/** What a range replay over all that happened makes of call.ended. */
async function replayed(): Promise<readonly unknown[]> {
  const record = await recordNow();
  const queries = { calls: async () => ({ rows: [record], next: null }) };
  const source = replayedCalls({ ...log, queries, publicUrl: () => "" });
  const range = { from: record.createdAt, to: plusMillis(log.clock.now(), 1) };
  const made: unknown[] = [];
  for await (const events of source.events({ owner: OWNER, ...range, kinds: new Set(["call.ended"]) }))
    for (const { make } of events) made.push(await make());
  return made;
}

describe("the end of a call whose session has begun", () => {
  it("is told with the words that come after it, as soon as the session says its last", async () => {
    await ended();
    await pass(stores, 2_000);
    await appends(spoken(now(), { index: 0, role: "customer", content: "Bye", turn: 1 }));
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started"]);
    await appends(judged(now(), "machine"), sessionEnded(now(), "hung_up"));
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started", "call.ended"]);
    expect(bodies()[0]?.data.answeredBy).toBe("human");
    expect(bodies()[1]?.data).toMatchObject({
      answeredBy: "machine",
      messages: [{ role: "customer", content: "Bye", turn: 1 }],
    });
    await pass(stores, 60_000);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });

  it("is told 5 s later when no last word comes", async () => {
    await ended();
    await pass(stores, 4_500);
    expect(told()).toEqual(["call.started"]);
    await pass(stores, 1_600);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });

  it("is told by another process when the one that waited is gone", async () => {
    await ended();
    await pass(stores, 1_000);
    one.stop();
    engineProcess(stores, { processId: "two" });
    await pass(stores, 3_000);
    expect(told()).toEqual(["call.started"]);
    await pass(stores, 2_500);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });

  it("is told after its 5 s, not its 30, when the recording comes in between", async () => {
    await ended(false);
    await pass(stores, 1_000);
    await appends(recording());
    await pass(stores, 2_000);
    expect(told()).toEqual(["call.started"]);
    await pass(stores, 3_500);
    expect(bodies()[1]?.data).toMatchObject({ recordingStatus: "available" });
  });

  it("waits for the recording, whose wait is longer, also after the last word", async () => {
    await ended(false);
    await appends(sessionEnded(now(), "hung_up"));
    await pass(stores, 10_000);
    expect(told()).toEqual(["call.started"]);
    await appends(recording());
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });

  it("is left out of a range replay while it waits, and made by one afterwards", async () => {
    await ended();
    await pass(stores, 4_000);
    expect(await until(stores, replayed())).toEqual([null]);
    await pass(stores, 1_100);
    expect(await until(stores, replayed())).toEqual([
      expect.objectContaining({ kind: "call.ended", callId }),
    ]);
  });
});
