import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shownOutcome } from "../../application/call/analysis/shown-outcome.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { callsProjection } from "../../projections/calls/calls.ts";
import { shownWords } from "../../projections/calls/shown-words.ts";
import { at } from "../domain/campaign/example-campaign.ts";
import { callEnd, callRequest, connected, message } from "./example-events.ts";
import type { HistoryEvent } from "./random-history.ts";
import { allRows, openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const OWNER = "usr_1";
const ERASED: CallId = "call_erased";
const KEPT: CallId = "call_kept";
/** Stands in the greeting, the instructions, a message and the carrier's name of the recording. */
const MARK = "zxqvmarkedword";

/** The key of the words is open all the time: what is gone was taken out of the rows. */
let world: ReadWorld;
let queries: Queries;
let happened: (events: readonly HistoryEvent[]) => Promise<void>;
beforeEach(async () => {
  world = await openReadWorld();
  const models = world.start();
  queries = queriesOf(world, models);
  happened = async (events) => {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  };
});
afterEach(() => world.close());

const ofCall = (callId: CallId, events: readonly CallEvent[]): HistoryEvent[] =>
  events.map((event) => ({ stream: `call-${callId}`, owner: OWNER, event }));

function recording(callId: CallId): CallEvent {
  const told = { status: "available", recordingRef: MARK, carrierRef: "r", sequence: 9 } as const;
  return { type: "CallRecordingAvailable", data: { ...told, callId, at: at(6) } };
}

function analysis(callId: CallId): CallEvent[] {
  const wish = { callId, at: at(6), analysisId: `analysis of ${callId}` };
  const asked = { assistantId: "ast_1", assistantVersion: 2, schemaHash: "0", by: "engine" } as const;
  return [
    { type: "CallAnalysisRequested", data: { ...wish, ...asked } },
    {
      type: "CallAnalysed",
      data: {
        ...wish,
        fields: { said: MARK },
        evidence: { said: [0] },
        unsupported: [],
        enums: ["said"],
        summary: `It was ${MARK}`,
        success: true,
        truncated: false,
        model: { name: "m", inputTokens: null, outputTokens: null },
      },
    },
  ];
}

function spokenCall(callId: CallId): HistoryEvent[] {
  const request = callRequest({
    callId,
    owner: OWNER,
    campaignId: null,
    contactId: null,
    attempt: 1,
    at: at(0),
  });
  const words = { greetingMessage: `Hello ${MARK}`, specialInstructions: `Say ${MARK}` };
  const said = message(callId, at(3), "r", 0);
  if (said.type !== "CallMessageAdded") throw new Error("no message");
  const marked = { ...said.data, message: { ...said.data.message, content: `It is ${MARK}` } };
  return ofCall(callId, [
    { ...request, data: { ...request.data, ...words } },
    connected(callId, at(2), "r"),
    { ...said, data: marked },
    callEnd(callId, at(5), "customer_ended", 30),
    recording(callId),
    ...analysis(callId),
  ]);
}

const erasure = ofCall(ERASED, [
  { type: "CallContentErased", data: { callId: ERASED, erasureId: "ers_1", at: at(7) } },
]);

async function rowsOf(callId: CallId): Promise<string> {
  const tables = Object.values(await allRows(world.db, [callsProjection]));
  return JSON.stringify(tables.flat().filter((row) => JSON.stringify(row).includes(callId)));
}

const EMPTY = {
  erased: true,
  greetingMessage: null,
  specialInstructions: null,
  messages: [],
  recordingStatus: "none",
  recordingUrl: null,
  outcome: shownOutcome(undefined, true),
};

async function expectErased(): Promise<void> {
  expect(await queries.call(OWNER, ERASED)).toMatchObject(EMPTY);
  expect(await rowsOf(ERASED)).not.toContain(MARK);
  const kept = await queries.call(OWNER, KEPT);
  expect(kept).toMatchObject({
    erased: false,
    greetingMessage: `Hello ${MARK}`,
    specialInstructions: `Say ${MARK}`,
    recordingStatus: "available",
  });
  expect(kept?.outcome).toMatchObject({ status: "ready", fields: { said: MARK }, summary: `It was ${MARK}` });
  expect(kept?.messages.map(({ content }) => content)).toEqual([`It is ${MARK}`]);
}

describe("the words of an erased call are in no row of the read models", () => {
  it("when the erasure comes after them, and what the call was is kept", async () => {
    await happened([...spokenCall(ERASED), ...spokenCall(KEPT)]);
    const before = await queries.call(OWNER, ERASED);
    expect(await rowsOf(ERASED)).toContain(MARK);
    await happened(erasure);
    await expectErased();
    expect(await queries.call(OWNER, ERASED)).toEqual({ ...before, ...EMPTY, updatedAt: at(7) });
    expect(await queries.usage(OWNER, "2026-09-01", "2026-09-01")).toMatchObject([
      { calls: 2, talkSeconds: 60 },
    ]);
  });

  it("when all of it is read at once, by a model that begins anew", async () => {
    await world.stop();
    await world.append([...spokenCall(ERASED), ...erasure, ...spokenCall(KEPT)]);
    await world.rebuild();
    await expectErased();
  });

  it("and a recording that is told of later does not come back", async () => {
    await happened([...spokenCall(ERASED), ...spokenCall(KEPT), ...erasure]);
    await happened(ofCall(ERASED, [recording(ERASED)]));
    await expectErased();
  });

  it("nor is a message of a model's own reading, when its process begins anew between the two", async () => {
    await happened([...spokenCall(ERASED), ...spokenCall(KEPT)]);
    await world.stop();
    await world.append(erasure);
    const models = world.start();
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
    await expectErased();
  });
});

describe("words that are removed ahead of the log", () => {
  it("leave the rows as the event does, of the named calls alone", async () => {
    await happened([...spokenCall(ERASED), ...spokenCall(KEPT)]);
    await shownWords(world.db).remove([ERASED]);
    await expectErased();
    const ahead = await queries.call(OWNER, ERASED);
    await happened(erasure);
    await expectErased();
    expect(await queries.call(OWNER, ERASED)).toEqual({ ...ahead, updatedAt: at(7) });
  });

  it("are nowhere while the tables are not there yet; another failure is told", async () => {
    await world.stop();
    await world.database.pool.query("drop table read.calls_v3, read.call_messages_v3");
    await shownWords(world.db).remove([ERASED]);
    await world.database.pool.query("create table read.call_messages_v3 (other text)");
    await expect(shownWords(world.db).remove([ERASED])).rejects.toThrow("call_id");
  });
});
