import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../../domain/call/events.ts";
import { callSentences } from "../../../projections/history/call-sentences.ts";
import {
  callEnd,
  callRequest,
  connected,
  cut,
  dialingBegan,
  digits,
  handedOver,
  judged,
  recordedRequest,
  ringing,
  sessionBegan,
  sessionEnded,
  spoken,
  talking,
  toolBegan,
  toolEnded,
  turnFailed,
} from "../example-events.ts";

const callId = "call_1";
const at = "2026-09-01T10:00:00.000Z";
const place = { callId, at, epoch: 1 } as const;

function told(...events: readonly CallEvent[]): readonly string[] {
  const tell = callSentences();
  const asked = { callId, owner: "usr_1", campaignId: null, contactId: null, attempt: 1, at } as const;
  const [, ...lines] = [callRequest(asked), ...events].flatMap((event, revision) =>
    tell({ ...recordedRequest(revision), event }),
  );
  return lines.map((line) => line.replace(`${at}  `, ""));
}

describe("the story of a call", () => {
  it("begins with who calls whom, at its time", () => {
    const tell = callSentences();
    expect(tell(recordedRequest(0))).toEqual([
      `${at}  a call from +15005550100 to +15005550006 by Ada (version 2)`,
    ]);
  });

  it("tells how it was dialled, answered and ended", () => {
    const story = told(
      dialingBegan(callId, at),
      ringing(callId, at, "ref"),
      connected(callId, at, "ref"),
      talking(callId, at, "ref"),
      callEnd(callId, at, "customer_ended", 61.2),
    );
    expect(story).toEqual([
      "the carrier is asked to dial",
      "it rings; the carrier calls it ref",
      "answered by a person",
      "the conversation begins",
      "ended: customer ended, after 61 s, 1.2345 credits",
    ]);
  });

  it("tells who ended it, and of whom nobody knows which assistant it was", () => {
    const end = callEnd(callId, at, "assistant_ended", 61.2);
    if (end.type !== "CallCompleted") throw new Error("It was not completed");
    const story = told(spoken(place, { index: 0, role: "assistant", assistantId: null, content: "Bye" }), {
      ...end,
      data: { ...end.data, endedBy: "assistant" },
    });
    expect(story).toEqual([
      "assistant: “Bye”",
      "ended by assistant: assistant ended, after 61 s, 1.2345 credits",
    ]);
  });

  it("tells who said what, and what of it was heard", () => {
    const story = told(
      spoken(place, { index: 0, role: "assistant", content: "Hello there", kind: "greeting" }),
      cut(place, 0, "Hello"),
      spoken(place, { index: 1, role: "customer", content: "What?", turn: 1 }),
      spoken(place, { index: 2, role: "assistant", content: null, kind: "answer", turn: 1 }),
      cut(place, 2, null),
    );
    expect(story).toEqual([
      "Ada (greeting): “Hello there”",
      "message 0 was cut after 700 ms; heard: “Hello”",
      "customer: “What?”",
      "Ada: (erased)",
      "message 2 was cut after 700 ms; heard: (erased)",
    ]);
  });

  it("tells tools with their results, and handoffs with their reason", () => {
    const tool = toolEnded(place, 1, "answered", "200\n{}");
    if (tool.type !== "CallToolEnded") throw new Error("no end of a tool");
    const evidence = { ...tool.data.evidence, status: 200, millis: 81.7 };
    const story = told(
      toolBegan(place, { n: 1, index: 0, turn: 1 }),
      { ...tool, data: { ...tool.data, evidence } },
      toolEnded(place, 2, "unknown", null),
      handedOver(place, { n: 3, index: 1, turn: 1 }),
    );
    expect(story).toEqual([
      'tool look_up is asked: {"order":"4711"}',
      "tool look_up: answered (status 200, 82 ms): “200\n{}”",
      "tool call_1-2: unknown: (erased)",
      "Ada hands over to ast_2: asks for a price",
    ]);
  });

  it("tells keys, verdicts, turns without an answer and sessions that were lost", () => {
    const story = told(
      sessionBegan(place, null),
      digits(place, 1, "12"),
      digits(place, 2, null),
      judged(place, "machine"),
      turnFailed(place, 2),
      sessionEnded(place, "session_lost"),
      sessionBegan({ ...place, epoch: 2 }, 1_500),
    );
    expect(story).toEqual([
      "session 1 is open (relay)",
      "the customer presses 12",
      "the customer presses 2 keys (erased)",
      "the carrier says after 3000 ms that a machine answered; voicemail: hang up",
      "turn 2 could not be answered: model timeout; said instead: “Sorry.”",
      "session 1 is over: the session was lost",
      "session 2 is open (relay), 1500 ms after the one before was lost",
    ]);
  });

  it("tells what became of the recording, what the carrier told too late, and that words were erased", () => {
    const recording = { callId, at, carrierRef: "ref", sequence: 9 } as const;
    const story = told(
      { type: "CallRecordingAvailable", data: { ...recording, status: "available", recordingRef: "rec" } },
      { type: "CallRecordingAvailable", data: { ...recording, status: "failed", recordingRef: null } },
      {
        type: "LateCarrierEventRecorded",
        data: { ...recording, carrierEventType: "answered", occurredAt: at },
      },
      { type: "CallContentErased", data: { callId, at, erasureId: "ers_1" } },
    );
    expect(story).toEqual([
      "the recording is there",
      "there will be no recording",
      "the carrier tells too late, or of another call: answered",
      "its words were erased (ers_1)",
    ]);
  });
});
