import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAggregates } from "../../../application/log/aggregates.ts";
import { recordedEvents } from "../../../application/log/recorded-events.ts";
import type { Carrier, CarrierCall, LookupResult } from "../../../application/ports/carrier.ts";
import { recordedCalls } from "../../../application/recordings/copy-limits.ts";
import { recordingsReaction } from "../../../application/recordings/recordings-reaction.ts";
import { recordingsRound } from "../../../application/recordings/run-recordings.ts";
import type { CallCommand } from "../../../domain/call/commands.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { postgresSegmentIndex } from "../../../infrastructure/recordings/postgres-segment-index.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import {
  at,
  began,
  completed,
  connected,
  FAR_SIDE,
  REF,
  REQUEST,
  requested,
} from "../../domain/call/example-call.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const { callId, owner } = REQUEST;
const STREAM = `call-${callId}` as const;
const MINUTE = 60_000;
const ENDED = millisOf(at(40));
const NONE_IN_A_DAY = "no recording came within 24 hours of the call's end:";
const on = new AbortController().signal;

/** What the carrier answers when it is asked for the call. */
const found = (recordingRef: string | null): LookupResult => ({
  ...{ kind: "found", carrierRef: REF, status: "ended", endReason: "customer_ended", endedAt: at(40) },
  ...{ answeredAt: at(10), answeredBy: "human", endedBy: "customer", recordingRef },
});

let database: WorkDatabase;
beforeEach(async () => {
  database = await workDatabase();
});
afterEach(() => database.drop());

/**
 * An ended call whose carrier said that a recording would come, and the work on it over virtual time. No
 * answer: the connection of its dial is gone.
 */
async function world(answer: () => LookupResult | null) {
  const log = memoryLog({ clock: movingClock(ENDED) });
  const { clock, eventStore, codec, ids } = log;
  const asked: CarrierCall[] = [];
  const deleted: string[] = [];
  const carrier: Carrier = {
    placeCall: async () => ({ kind: "unknown", cause: "not asked", noAnswerAtAll: false }),
    ...QUIET_CARRIER,
    instance: async () => FAR_SIDE.instance,
    lookup: async (call) => {
      asked.push(call);
      return answer() ?? { kind: "absent" };
    },
    deleteRecording: async (ref) => {
      deleted.push(ref);
      return "done";
    },
  };
  const recordings = postgresRecordings(database.pool);
  /** Another process knows nothing but what is stored. */
  const start = () => {
    const { calls } = createAggregates({ eventStore, codec, clock, ids });
    const recorded = recordedCalls(calls, clock);
    const carriers = { dialledOn: async () => (answer() === null ? null : carrier) };
    const files = {
      remove: async () => undefined,
      disk: async () => ({ freeBytes: 1e12, totalBytes: 1e12 }),
    };
    const unused = () => Promise.reject(new Error("no file is written"));
    return {
      calls,
      reaction: recordingsReaction({ calls, recordings }),
      round: () =>
        recordingsRound(
          {
            ...{ recordings, carriers, recorded, clock, logger: silentLogger, metrics: silentMetrics },
            files: { ...files, write: unused, flush: unused, open: async () => ({ kind: "missing" }) },
            segments: { list: unused, read: unused, copy: unused, erase: unused, drop: unused },
            ...{ segmentIndex: postgresSegmentIndex(database.pool), unknown: new Map() },
            keys: { of: async () => new Map() },
          },
          on,
        ),
    };
  };
  let process = start();
  const events = async () => {
    const read = await Array.fromAsync(recordedEvents({ eventStore, codec }, STREAM));
    return read.flatMap((recorded) => (recorded.event.type.startsWith("Call") ? [recorded] : []));
  };
  const history: readonly CallEvent[] = [requested, began, connected, completed];
  await log.storeFor(owner, STREAM, ...history);
  await process.reaction.handle(await events());
  const dueAt = async (): Promise<number | null> => {
    const { rows } = await database.pool.query<{ due_at: Date | null }>("select due_at from work.recordings");
    return rows[0]?.due_at?.getTime() ?? null;
  };
  return {
    asked,
    deleted,
    recordings,
    history: async () => (await events()).slice(history.length).map(({ event }) => event),
    react: async () => process.reaction.handle(await events()),
    restart: () => {
      process = start();
    },
    tell: (command: CallCommand) =>
      process.calls.handle(STREAM, [command], { owner, actor: "x", correlationId: "x", causationId: null }),
    /** The clock moves to the next look, which is taken: minutes since the call's end. null: none is due. */
    nextLook: async (): Promise<number | null> => {
      const due = await dueAt();
      if (due === null) return null;
      clock.advance(Math.max(0, due - clock.nowMillis()));
      await process.round();
      return (clock.nowMillis() - ENDED) / MINUTE;
    },
  };
}

describe("a recording that its carrier never told of", () => {
  it("is asked for from two minutes after the call on, and recorded as if it had been told", async () => {
    let ref: string | null = null;
    const { asked, nextLook, history, react, recordings } = await world(() => found(ref));
    expect([await nextLook(), await nextLook()]).toEqual([2, 4]);
    expect(asked[0]).toMatchObject({ callId, carrierRef: REF, instance: FAR_SIDE.instance });
    expect([await history(), (await recordings.copyOf(callId))?.copy]).toEqual([[], "expected"]);
    ref = "rec-1";
    expect(await nextLook()).toBe(8);
    expect(await history()).toMatchObject([
      {
        type: "CallRecordingAvailable",
        data: { status: "available", recordingRef: "rec-1", carrierRef: REF },
      },
    ]);
    await react();
    expect(await recordings.due(1)).toMatchObject([
      { callId, copy: "waiting", recordingRef: "rec-1", tries: 0 },
    ]);
  });

  it("is asked for less and less, and fails with its reason after a day", async () => {
    const { asked, nextLook, history, recordings } = await world(() => found(null));
    const looks: (number | null)[] = [];
    for (let look = await nextLook(); look !== null; look = await nextLook()) looks.push(look);
    expect(looks).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440]);
    expect(asked).toHaveLength(11);
    const reason = `${NONE_IN_A_DAY} the carrier has none`;
    expect(await history()).toMatchObject([{ data: { status: "failed", recordingRef: null, reason } }]);
    expect([(await recordings.copyOf(callId))?.copy, await recordings.backlog()]).toEqual([
      "absent",
      { toCopy: 0, toDelete: 0, failing: 0, problem: null },
    ]);
  });

  it.each([
    ["is silent", { kind: "unavailable", cause: "ETIMEDOUT" } as const, "the carrier: ETIMEDOUT"],
    ["knows no such call", { kind: "ambiguous" } as const, "the carrier does not know the call"],
    ["is gone", null, "the connection that it was dialled on is not configured any more"],
  ])(
    "fails after a day with the reason that it %s, which is told meanwhile",
    async (_what, answer, problem) => {
      const { nextLook, history, recordings } = await world(() => answer);
      await nextLook();
      expect(await recordings.backlog()).toMatchObject({ toCopy: 0, toDelete: 0, failing: 1, problem });
      while ((await nextLook()) !== null);
      expect(await history()).toMatchObject([
        { data: { status: "failed", reason: `${NONE_IN_A_DAY} ${problem}` } },
      ]);
    },
  );

  it("is asked for by the next process where the one before it had come to", async () => {
    const { nextLook, restart, history } = await world(() => found(null));
    expect([await nextLook(), await nextLook()]).toEqual([2, 4]);
    restart();
    expect([await nextLook(), await nextLook()]).toEqual([8, 16]);
    expect(await history()).toEqual([]);
  });

  it("is not asked for any more once it is told, and copied then", async () => {
    const { nextLook, tell, react, asked, recordings } = await world(() => found(null));
    await nextLook();
    const fact = { carrierRef: REF, sequence: null, occurredAt: at(400), now: at(400) };
    await tell({ type: "RecordRecording", status: "available", recordingRef: "rec-2", ...fact });
    await nextLook();
    expect([asked.length, (await recordings.copyOf(callId))?.copy]).toEqual([1, "expected"]);
    await react();
    await react();
    expect(await recordings.due(1)).toMatchObject([{ copy: "waiting", recordingRef: "rec-2" }]);
  });

  it("is none when the carrier tells that it failed", async () => {
    const { nextLook, tell, react, recordings } = await world(() => found("rec-1"));
    const fact = { carrierRef: REF, sequence: null, occurredAt: at(50), now: at(50) };
    await tell({ type: "RecordRecording", status: "failed", recordingRef: null, ...fact });
    await react();
    expect([await nextLook(), (await recordings.copyOf(callId))?.copy, await nextLook()]).toEqual([
      2,
      "absent",
      null,
    ]);
  });

  it.each([
    ["before it was looked for", 0],
    ["while it was looked for", 1],
  ])("of an erased call is found and deleted at the carrier, erased %s", async (_when, looks) => {
    let ref: string | null = null;
    const { nextLook, tell, deleted, history, recordings } = await world(() => found(ref));
    for (let look = 0; look < looks; look += 1) await nextLook();
    await tell({ type: "EraseContent", erasureId: "ers_1", now: at(400) });
    await recordings.erase([callId]);
    ref = "rec-3";
    await nextLook();
    expect([deleted, await nextLook()]).toEqual([["rec-3"], null]);
    expect((await history()).map(({ type }) => type)).toEqual(["CallContentErased"]);
  });

  it("of an erased call is looked for until its carrier has answered, however long it is silent", async () => {
    let answer: LookupResult = { kind: "unavailable", cause: "ETIMEDOUT" };
    const { nextLook, tell, deleted, recordings } = await world(() => answer);
    await tell({ type: "EraseContent", erasureId: "ers_1", now: at(50) });
    let minutes: number | null = 0;
    while (minutes !== null && minutes < 1_440) minutes = await nextLook();
    expect(await recordings.backlog()).toMatchObject({ toDelete: 1, problem: "the carrier: ETIMEDOUT" });
    answer = found("rec-4");
    await nextLook();
    expect([deleted, await nextLook()]).toEqual([["rec-4"], null]);
  });

  it("of an erased call is looked for a day, and left when the carrier has none", async () => {
    const { nextLook, tell, deleted, recordings } = await world(() => found(null));
    await tell({ type: "EraseContent", erasureId: "ers_1", now: at(50) });
    const looks: (number | null)[] = [];
    for (let look = await nextLook(); look !== null; look = await nextLook()) looks.push(look);
    expect([looks.at(-1), deleted, (await recordings.copyOf(callId))?.copy]).toEqual([1_440, [], "erased"]);
  });
});
