import { describe, expect, it } from "vitest";
import type { CallMessage, SessionKind } from "../../../domain/call/conversation-events.ts";
import { messageOfDigits } from "../../../domain/call/conversation-rules.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CallEvent, EndWishReason } from "../../../domain/call/events.ts";
import { pastCallOf } from "../../../domain/rehearsal/past-call.ts";
import { at, completed, connected, REQUEST, requested } from "../call/example-call.ts";
import { EVIDENCE } from "../call/example-conversation.ts";

const spoken = { callId: "call_1", epoch: 1 } as const;

/** 30 characters, so 2 s of speech. */
const TWO_SECONDS = "Your appointment is on Monday.";

function session(kind: SessionKind = "in_process"): CallEvent {
  return { type: "CallSessionBegan", data: { ...spoken, at: at(10), kind, gapMillis: null } };
}

function message(index: number, seconds: number, said: Partial<CallMessage>): CallEvent {
  const base = { index, assistantId: "ast_1", content: TWO_SECONDS, at: at(seconds), offsetMs: 0 } as const;
  return {
    type: "CallMessageAdded",
    data: {
      ...spoken,
      at: at(seconds),
      carrierRef: null,
      sequence: null,
      message: { ...base, role: "assistant", kind: "answer", ...said },
    },
  };
}

const customer = (index: number, seconds: number, content = TWO_SECONDS) =>
  message(index, seconds, { role: "customer", content });

function cut(messageIndex: number, seconds: number, heard: string): CallEvent {
  const data = {
    ...spoken,
    at: at(seconds),
    messageIndex,
    heard,
    heardMillis: 0,
    precision: "exact",
  } as const;
  return { type: "CallSpeechCut", data };
}

function keys(index: number, seconds: number, digits: string): readonly CallEvent[] {
  const data = { ...spoken, at: at(seconds), turn: 1, digits, count: digits.length, messageIndex: index };
  const shown = message(index, seconds, messageOfDigits(digits));
  return [{ type: "CallDigitsReceived", data }, shown];
}

function ended(seconds: number, endReason: EndReason): CallEvent {
  if (completed.type !== "CallCompleted") throw new Error("The example has not ended");
  return { type: "CallCompleted", data: { ...completed.data, at: at(seconds), endReason } };
}

const wish = (seconds: number, reason: EndWishReason): CallEvent => ({
  type: "CallEndRequested",
  data: { callId: "call_1", at: at(seconds), by: "assistant", reason },
});

/** After a greeting from 10 to 12 s. */
function past(...events: readonly CallEvent[]) {
  return pastCallOf([requested, connected, session(), message(0, 10, { kind: "greeting" }), ...events]);
}

const turnsOf = (...events: readonly CallEvent[]) => past(...events)?.turns;
const words = { kind: "words", text: TWO_SECONDS };

describe("a turn of a past call", () => {
  it("began when the assistant was done, after the pause before its words", () => {
    expect(turnsOf(customer(1, 15.5))).toEqual([{ turn: words, after: null, pauseMillis: 1_498 }]);
  });

  it("began at the share of the message of which the rest was not heard", () => {
    const events = [message(1, 12, {}), cut(1, 13, "Your appointment"), customer(2, 15)];
    expect(turnsOf(...events)).toEqual([
      { turn: words, after: { message: 2, share: 16 / 30 }, pauseMillis: 0 },
    ]);
  });

  it("began before a message of which nothing was heard", () => {
    const events = [message(1, 13, {}), cut(1, 13, ""), customer(2, 15)];
    expect(turnsOf(...events)).toEqual([{ turn: words, after: { message: 1, share: 1 }, pauseMillis: 998 }]);
  });

  it("followed the one before, when nothing was said in between", () => {
    expect(turnsOf(customer(1, 15), customer(2, 18))?.[1]).toEqual({
      turn: words,
      after: { message: 0, share: 1 },
      pauseMillis: 998,
    });
  });

  it("is a silence where the customer was asked whether they are there", () => {
    expect(turnsOf(message(1, 20, { kind: "prompt" }), customer(2, 25))).toEqual([
      { turn: { kind: "silence" }, after: null, pauseMillis: 500 },
      { turn: words, after: null, pauseMillis: 998 },
    ]);
  });

  it("is keys, which are taken after a pause or at once with a #", () => {
    expect(turnsOf(...keys(1, 15, "12"))).toEqual([
      { turn: { kind: "keys", keys: "12" }, after: null, pauseMillis: 998 },
    ]);
    expect(turnsOf(...keys(1, 13, "12"))).toEqual([
      { turn: { kind: "keys", keys: "12#" }, after: null, pauseMillis: 998 },
    ]);
  });

  it("is a machine's greeting, where its end was heard", () => {
    const data = {
      callId: "call_1",
      at: at(16),
      answeredBy: "machine",
      by: "sound",
      afterMillis: 0,
    } as const;
    const judged: CallEvent = {
      type: "CallMachineJudged",
      data: { ...data, greetingEnded: true, policyApplied: "hang_up" },
    };
    expect(past(customer(1, 15), judged)).toMatchObject({
      answeredBy: "human",
      turns: [{ turn: { kind: "machine", text: TWO_SECONDS } }],
    });
  });

  it("comes soon where a carrier only estimates what was heard", () => {
    const events = [requested, connected, session("relay"), message(0, 10, {}), customer(1, 19)];
    expect(pastCallOf(events)?.turns[0]?.pauseMillis).toBe(2_000);
  });
});

describe("the end of a past call", () => {
  it("is when they hung up", () => {
    expect(past(customer(1, 15), message(2, 15, {}), ended(17.5, "customer_ended"))?.end).toEqual({
      how: "hangs_up",
      after: null,
      pauseMillis: 498,
    });
  });

  it("is none where the assistant ended the call", () => {
    expect(past(customer(1, 15), message(2, 15, {}), ended(17, "assistant_ended"))?.end).toBeNull();
  });

  it("is a sound without words that cut its last ones, or was heard until the longest duration", () => {
    const interrupted = [
      message(2, 15, {}),
      cut(2, 16, TWO_SECONDS.slice(0, 15)),
      wish(16, "assistant_ended"),
    ];
    expect(past(customer(1, 15), ...interrupted, ended(16, "assistant_ended"))?.end).toEqual({
      how: "talks_on",
      after: { message: 1, share: 0.5 },
      pauseMillis: 0,
    });
    expect(past(customer(1, 15), message(2, 15, {}), ended(40, "max_duration"))?.end?.how).toBe("talks_on");
  });
});

describe("a tool of a past call", () => {
  const began: CallEvent = {
    type: "CallToolBegan",
    data: {
      ...spoken,
      at: at(15),
      turn: 1,
      messageIndex: 2,
      offsetMs: 0,
      toolCallId: "call_1-1",
      toolId: "tool_1",
      toolName: "find_appointment",
      assistantId: "ast_1",
      arguments: { day: "Monday" },
      repeatable: true,
    },
  };
  const answer: CallEvent = {
    type: "CallToolEnded",
    data: {
      ...spoken,
      at: at(18),
      toolCallId: "call_1-1",
      outcome: "answered",
      shown: "200\nnine",
      isError: false,
      evidence: EVIDENCE,
    },
  };
  const asked = { functionName: "find_appointment", arguments: { day: "Monday" } };

  it("has its answer, and how long it took", () => {
    expect(past(customer(1, 15), began, answer)?.answers).toEqual([
      { ...asked, outcome: "answered", shown: "200\nnine", isError: false, millis: 3_000 },
    ]);
  });

  it("that was running when the customer spoke is spoken over again", () => {
    const filler = message(3, 16, { kind: "filler", content: "One moment." });
    const [, turn] = turnsOf(customer(1, 15), began, filler, customer(4, 20), answer) ?? [];
    expect(turn?.after).toEqual({ message: 1, share: 1 });
  });

  it("that had not answered at the end of the call takes as long as one may", () => {
    expect(past(customer(1, 15), began)?.answers).toEqual([
      expect.objectContaining({ ...asked, outcome: "unknown", millis: 8_000 }),
    ]);
  });
});

it("a call has its contact and its texts; without a conversation there is nothing to play", () => {
  const request = {
    ...REQUEST,
    contactName: "Ada",
    customData: { due: "Friday" },
    specialInstructions: "Soon.",
  };
  const events: readonly CallEvent[] = [{ type: "CallRequested", data: request }, connected];
  expect(pastCallOf(events)).toBeNull();
  expect(pastCallOf([...events, session()])).toMatchObject({
    callId: "call_1",
    begunAt: at(10),
    contactName: "Ada",
    customData: { due: "Friday" },
    greetingMessage: "Hello",
    specialInstructions: "Soon.",
    callback: null,
  });
});
