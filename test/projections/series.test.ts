import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeriesBy } from "../../contract/call-series.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../../domain/shared/instant.ts";
import { BACKGROUND_MODELS, READ_MODELS } from "../../projections/read-models.ts";
import { callSeriesProjection, countCalls } from "../../projections/series/call-series.ts";
import { callEnd, callRequest, ringing } from "./example-events.ts";
import type { HistoryEvent } from "./random-history.ts";
import { openReadWorld, type ReadWorld, type StartOptions } from "./read-world.ts";

const OWNER = "usr_1";
const OTHER = "usr_2";
const ALL_MODELS = [...READ_MODELS, ...BACKGROUND_MODELS];

let world: ReadWorld;
beforeAll(async () => {
  world = await openReadWorld();
});
afterAll(() => world.close());

/** `10:15` of the day of these calls, with or without seconds. */
function on(time: string): Instant {
  const instant = parseInstant(`2026-09-01T${time.padEnd(8, ":00")}.000Z`);
  if (instant === null) throw new Error(`No time: ${time}`);
  return instant;
}

function begun(callId: CallId, time: string, owner: OwnerId = OWNER): HistoryEvent {
  const event = callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at: on(time) });
  return { stream: `call-${callId}`, owner, event };
}
/** Long after its beginning: it counts where it began. */
function ended(callId: CallId, reason: EndReason, owner: OwnerId = OWNER): HistoryEvent {
  return { stream: `call-${callId}`, owner, event: callEnd(callId, on("20:00"), reason, null) };
}

async function read(history: readonly HistoryEvent[], options: StartOptions = { projections: ALL_MODELS }) {
  await world.append(history);
  const models = world.start(options);
  expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  await world.stop();
}

const counted = (times: readonly string[], by: SeriesBy = "status", owner: OwnerId = OWNER) =>
  countCalls(world.db, owner, { edges: times.map(on), by });

describe("calls over time", () => {
  beforeAll(() =>
    read([
      begun("call_1", "09:59:59"),
      begun("call_2", "10:00"),
      begun("call_3", "10:14:59"),
      begun("call_4", "10:15"),
      begun("call_5", "10:20"),
      begun("call_6", "10:29:59"),
      begun("call_7", "10:30"),
      begun("call_8", "10:16", OTHER),
      ended("call_1", "busy"),
      ended("call_2", "busy"),
      ended("call_3", "customer_ended"),
      ended("call_4", "busy"),
      ended("call_7", "busy"),
      ended("call_8", "busy", OTHER),
      { stream: "call-call_6", owner: OWNER, event: ringing("call_6", on("10:31"), "r") },
    ]),
  );

  it("begin with the first edge and end before the last, in quarters of an hour", async () => {
    expect(await counted(["10:00", "10:15", "10:30"])).toEqual({
      completed: [1, 0],
      failed: [1, 1],
      initiating: [0, 1],
      ringing: [0, 1],
    });
    expect(await counted(["10:00", "11:00"])).toMatchObject({ failed: [3], ringing: [1] });
  });

  it("are counted by the minute where one edge is within a quarter", async () => {
    expect(await counted(["10:14", "10:15", "10:16"])).toEqual({ completed: [1, 0], failed: [0, 1] });
    expect(await counted(["10:01", "10:14"])).toEqual({});
    expect(await counted(["10:15", "10:21"])).toEqual({ failed: [1], initiating: [1] });
  });

  it("by the reason of their end leave out those that have none yet", async () => {
    expect(await counted(["10:00", "10:15", "10:30"], "endReason")).toEqual({
      busy: [1, 1],
      customer_ended: [1, 0],
    });
  });

  it("are the owner's alone", async () => {
    expect(await counted(["00:00", "23:45"], "status", OTHER)).toEqual({ failed: [1] });
    expect(await counted(["00:00", "23:45"], "status", "usr_none")).toEqual({});
  });
});

describe("a call is counted once, whichever model is ahead", () => {
  it("the calls: an end that the series has not read is counted by the call's row", async () => {
    await read([begun("call_a", "12:00"), begun("call_b", "12:01")]);
    await read([ended("call_a", "busy")], { projections: READ_MODELS });
    expect(await counted(["12:00", "12:15"])).toEqual({ failed: [1], initiating: [1] });
    expect(await counted(["12:00", "12:15"], "endReason")).toEqual({ busy: [1] });
    await read([]);
    expect(await counted(["12:00", "12:15"])).toEqual({ failed: [1], initiating: [1] });
  });

  it("the series: a call without a row is one that begins, and its end is counted", async () => {
    const series = { projections: [callSeriesProjection] };
    await read([begun("call_c", "13:00"), begun("call_d", "13:00")], series);
    expect(await counted(["13:00", "13:15"])).toEqual({ initiating: [2] });
    await read([ended("call_c", "busy")], series);
    expect(await counted(["13:00", "13:15"])).toEqual({ failed: [1], initiating: [1] });
    await read([ended("call_d", "customer_ended")]);
    expect(await counted(["13:00", "13:15"])).toEqual({ completed: [1], failed: [1] });
  });
});
