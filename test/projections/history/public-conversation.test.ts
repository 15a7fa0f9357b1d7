import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../../domain/call/events.ts";
import { historyRecord } from "../../../projections/history/history-record.ts";
import { createTestCodec } from "../../../simulation/memory/subject-keys.ts";
import {
  cut,
  digits,
  handedOver,
  judged,
  sessionBegan,
  sessionEnded,
  spoken,
  toolBegan,
  toolEnded,
  turnFailed,
} from "../example-events.ts";

const place = { callId: "call_1", at: "2026-09-01T10:00:00.000Z", epoch: 1 } as const;
const model = { name: "scripted", inputTokens: null, outputTokens: null };
const timing = { firstTokenMillis: 310, firstAudioMillis: null };

/** Event and what its public form says besides callId, at and epoch. */
const PUBLIC: readonly (readonly [CallEvent, object])[] = [
  [sessionBegan(place, null), { kind: "relay", gapMillis: null }],
  [sessionEnded(place, "line_lost"), { cause: "line_lost" }],
  [
    spoken(place, { index: 3, role: "assistant", content: "Yes", kind: "answer", turn: 1, timing, model }),
    {
      carrierRef: null,
      sequence: null,
      message: {
        ...{ index: 3, role: "assistant", assistantId: "ast_1", content: "Yes", at: place.at, offsetMs: 10 },
        ...{ kind: "answer", turn: 1, timing, model },
      },
    },
  ],
  [cut(place, 3, "Ye"), { messageIndex: 3, heard: "Ye", heardMillis: 700, precision: "exact" }],
  [
    toolBegan(place, { n: 1, index: 4, turn: 1 }),
    {
      ...{
        turn: 1,
        messageIndex: 4,
        offsetMs: 20,
        toolCallId: "call_1-1",
        toolId: "tool_1",
        toolName: "look_up",
      },
      ...{ assistantId: "ast_1", arguments: { order: "4711" }, repeatable: true },
    },
  ],
  [
    toolEnded(place, 1, "timed_out", "no answer"),
    {
      ...{ toolCallId: "call_1-1", outcome: "timed_out", shown: "no answer", isError: true },
      evidence: { status: null, millis: null, bytes: null, sha256: null, host: null, rows: null },
    },
  ],
  [
    handedOver(place, { n: 2, index: 5, turn: 1 }),
    {
      ...{ turn: 1, messageIndex: 5, offsetMs: 30, from: "ast_1", to: "ast_2", toAssistantVersion: 3 },
      ...{ toMemberId: "mbr_1", toolCallId: "call_1-2", toolName: "to_sales" },
      ...{ variables: { topic: "price" }, reason: "asks for a price" },
    },
  ],
  [digits(place, 2, "12"), { turn: 2, digits: "12", count: 2 }],
  [turnFailed(place, 2), { turn: 2, kind: "model_timeout", saidInstead: "Sorry." }],
];

describe("the public form of what happens in a conversation", () => {
  const codec = createTestCodec();
  const shown = (event: CallEvent) => {
    const { type, data } = codec.asJson(event);
    const metadata = {
      correlationId: "c",
      causationId: null,
      actor: "a",
      owner: "usr_1",
      schemaVersion: 1,
    } as const;
    const stored = {
      position: "1",
      stream: "call-call_1",
      revision: 0,
      type,
      data,
      metadata,
      created: place.at,
    };
    return historyRecord(stored);
  };

  it.each(PUBLIC)("$type", (event, said) => {
    expect(shown(event)).toEqual({
      ...{ position: "1", stream: "call-call_1", revision: 0, type: event.type, occurredAt: place.at },
      ...{ correlationId: "c", causationId: null, data: { ...place, ...said } },
      actor: { kind: "key", id: "a" },
    });
  });

  it("CallMachineJudged is no event of a session", () => {
    const { callId, at } = place;
    expect(shown(judged(place, "machine")).data).toEqual({
      ...{ callId, at, answeredBy: "machine", by: "carrier", afterMillis: 3_000 },
      ...{ greetingEnded: true, policyApplied: "hang_up" },
    });
  });
});
