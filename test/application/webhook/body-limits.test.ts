import { describe, expect, it } from "vitest";
import { addEvent, beginCallFacts, type CallFacts } from "../../../application/webhook/call-facts.ts";
import { erasedBody } from "../../../application/webhook/erased-body.ts";
import { endedEntry, SINGLE_CALL_OUTCOME, startedEntry } from "../../../application/webhook/webhook-body.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { createSimulatedIds } from "../../../simulation/campaigns/simulated-ids.ts";
import { callEnd, callRequest, connected, judged, spoken } from "../../projections/example-events.ts";

const MOST_BYTES = 256 * 1024;
const callId = "call_1";
const at = "2026-09-01T10:00:00.000Z";
const place = { callId, at, epoch: 1 } as const;
const deps = { ids: createSimulatedIds(), publicUrl: () => "https://calls.example" };
const request = callRequest({ callId, owner: "usr_1", campaignId: null, contactId: null, attempt: 1, at });
const said = (index: number, content: string) => spoken(place, { index, role: "customer", content, turn: 1 });
const end = callEnd(callId, at, "customer_ended", 5);
const erased: CallEvent = {
  type: "CallContentErased",
  data: { callId, at, erasureId: "ers_1" },
};

function storyOf(...events: readonly CallEvent[]): CallFacts {
  const story = beginCallFacts(request.data);
  for (const event of events) addEvent(story, event);
  return story;
}
const ended = (...events: readonly CallEvent[]) => endedEntry(deps, storyOf(...events), SINGLE_CALL_OUTCOME);
const parsed = (entry: { readonly body: string } | null) => JSON.parse(entry?.body ?? "{}");
const bytesOf = (entry: { readonly body: string } | null) => Buffer.byteLength(entry?.body ?? "");

describe("the body of an end", () => {
  it.each(["x", "€"])(
    "holds all messages up to 256 KiB of %s, and one byte more leaves the last one out",
    (letter) => {
      const whole = (length: number, more = "") =>
        ended(said(0, "Hi"), said(1, letter.repeat(length) + more), end);
      const letterBytes = Buffer.byteLength(letter);
      const room = MOST_BYTES - bytesOf(whole(0));
      const full = whole(Math.floor(room / letterBytes), "x".repeat(room % letterBytes));
      expect([bytesOf(full), parsed(full).data.messages.length]).toEqual([MOST_BYTES, 2]);
      expect(parsed(full).data).not.toHaveProperty("messagesTruncated");
      const over = whole(Math.floor(room / letterBytes), "x".repeat((room % letterBytes) + 1));
      expect(parsed(over)).toMatchObject({
        event: "call.ended",
        data: { messagesTruncated: true, messages: [{ content: "Hi" }] },
      });
    },
  );

  it("that leaves messages out holds as many as there is room for, to the byte", () => {
    const cut = (length: number) => ended(said(0, "x".repeat(length)), said(1, "x".repeat(MOST_BYTES)), end);
    const room = MOST_BYTES - bytesOf(cut(0)) - 1; // the comma behind a message is counted with it
    expect([bytesOf(cut(room)), parsed(cut(room)).data.messages.length]).toEqual([MOST_BYTES - 1, 1]);
    expect(parsed(cut(room + 1)).data.messages).toEqual([]);
  });

  it("says how a call failed, and of a completed one that nothing did", () => {
    const failed = parsed(ended(callEnd(callId, at, "busy", null)));
    expect(failed.data).toMatchObject({
      status: "failed",
      error: { code: "busy" },
      recordingStatus: "none",
      startedAt: null,
    });
    expect(parsed(ended(end)).data).toMatchObject({
      status: "completed",
      error: null,
      recordingStatus: "pending",
    });
  });

  it("has the last verdict about who answered, else what was known at the answer", () => {
    const answer = connected(callId, at, "ref");
    expect(parsed(ended(answer, end)).data.answeredBy).toBe("human");
    expect(parsed(ended(answer, judged(place, "machine"), end)).data.answeredBy).toBe("machine");
    expect(parsed(ended(end)).data.answeredBy).toBeNull();
  });

  it("of an erased call says that it is, and nothing of a recording", () => {
    const data = {
      callId,
      at,
      carrierRef: "ref",
      sequence: 9,
      status: "available",
      recordingRef: "r",
    } as const;
    const whole = parsed(ended(said(0, "Hi"), end, { type: "CallRecordingAvailable", data }, erased));
    expect(whole.data).toMatchObject({
      erased: true,
      messages: [],
      recordingUrl: null,
      recordingStatus: "none",
    });
    expect(parsed(ended(end)).data).not.toHaveProperty("erased");
  });
});

it("a start says that the call is connected, outbound, and since when", () => {
  const entry = startedEntry(deps, storyOf(connected(callId, at, "ref")));
  expect(parsed(entry)).toMatchObject({
    event: "call.started",
    data: { status: "connected", type: "outbound", startedAt: at, sequence: 1 },
  });
  expect(entry).toMatchObject({ kind: "call.started", callId, sequence: 1, occurredAt: at, owner: "usr_1" });
});

it("an erased body that is no object, or has no object as its data, stays as it is", () => {
  for (const body of ["null", "[]", "7", '{"data":null}', '{"data":[1]}', '{"data":"x"}', "{}"])
    expect(erasedBody(body)).toBe(body);
});
