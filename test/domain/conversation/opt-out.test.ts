import { describe, expect, it } from "vitest";
import type { CallMessage } from "../../../domain/call/conversation-events.ts";
import { messageOfDigits } from "../../../domain/call/conversation-rules.ts";
import type { AnsweredBy, CallEvent } from "../../../domain/call/events.ts";
import { WORDS_CHARACTERS } from "../../../domain/conversation/limits.ts";
import { heardOptOut, newOptOutBook, type OptOutSettings } from "../../../domain/conversation/opt-out.ts";
import { at, connected, REF, requested } from "../call/example-call.ts";

const callId = "call_1" as const;
const spoken = { callId, epoch: 1, offsetMs: 0 } as const;
const LISTENS: OptOutSettings = { optOut: "listen", optOutDigit: "9", language: "en" };

function says(content: string | null, index: number, given: Partial<CallMessage> = {}): CallEvent {
  const message = { role: "customer", assistantId: "ast_1", content, index, at: at(20 + index) } as const;
  return {
    type: "CallMessageAdded",
    data: {
      callId,
      at: at(30 + index),
      carrierRef: null,
      sequence: null,
      message: { turn: 1, offsetMs: 0, ...message, ...given },
    },
  };
}

function presses(digits: string | null, index: number): readonly CallEvent[] {
  const pressed: CallEvent = {
    type: "CallDigitsReceived",
    data: {
      callId,
      at: at(20 + index),
      epoch: 1,
      turn: 1,
      digits,
      count: digits?.length ?? 0,
      messageIndex: index,
    },
  };
  return [pressed, says(digits === null ? null : messageOfDigits(digits).content, index)];
}

function calls(toolName: string, toolId: `tool_${string}` | null = null): CallEvent {
  const tool = { toolId, toolName, toolCallId: "call_1-1", arguments: {}, repeatable: true } as const;
  return {
    type: "CallToolBegan",
    data: { ...spoken, ...tool, at: at(25), turn: 1, messageIndex: 3, assistantId: "ast_1" },
  };
}

function judged(answeredBy: AnsweredBy): CallEvent {
  const verdict = { answeredBy, by: "carrier", greetingEnded: false, policyApplied: null } as const;
  return { type: "CallMachineJudged", data: { callId, at: at(12), afterMillis: 0, ...verdict } };
}

const machineAnswered: CallEvent = {
  type: "CallConnected",
  data: { callId, at: at(10), answeredBy: "machine", carrierRef: REF, sequence: 2 },
};

const handedOver: CallEvent = {
  type: "CallHandedOver",
  data: {
    ...spoken,
    at: at(15),
    turn: 1,
    messageIndex: 2,
    from: "ast_1",
    to: "ast_2",
    toAssistantVersion: 1,
    toMemberId: "mbr_2",
    toolCallId: "call_1-1",
    toolName: "handoff_to_sales",
    variables: {},
    reason: null,
  },
};

/** What each of these events says, after those of an answered call. */
function heardIn(events: readonly CallEvent[], of: (id: string | null) => OptOutSettings | null) {
  const book = newOptOutBook();
  return [requested, connected, ...events].flatMap((event) => heardOptOut(book, event, of) ?? []);
}

const heard = (...events: readonly CallEvent[]) => heardIn(events, () => LISTENS);

describe("an opt-out", () => {
  it("is heard in the customer's words, with their message and its time", () => {
    expect(heard(says("Never call me again.", 1))).toEqual([
      { by: "words", messageIndex: 1, saidAt: at(21) },
    ]);
    expect(heard(says("Never call me again.", 1, { role: "assistant" }))).toEqual([]);
    expect(heard(says("Who is this?", 1), says("I see.", 2))).toEqual([]);
  });

  it("is heard in all messages of a turn together, not in those of two", () => {
    const parts = [says("Please never", 1), says("call me again.", 2)] as const;
    expect(heard(...parts)).toEqual([{ by: "words", messageIndex: 2, saidAt: at(22) }]);
    expect(heard(parts[0], says("call me again.", 2, { turn: 2 }))).toEqual([]);
  });

  it("is the assistant's key alone, and not the message that shows keys", () => {
    expect(heard(...presses("9", 1))).toEqual([{ by: "keypad", messageIndex: 1, saidAt: at(21) }]);
    expect(heard(...presses("99", 1))).toEqual([]);
    expect(heard(...presses("1", 1))).toEqual([]);
    expect(heard(...presses(null, 1))).toEqual([]);
    const shown = says("Never call me again.", 1);
    expect(heard(...presses("1", 1).slice(0, 1), shown)).toEqual([]);
    expect(heard(...presses("1", 1), says("Never call me again.", 2))).toHaveLength(1);
  });

  it("is the model's function, and no tool of the owner", () => {
    expect(heard(calls("stop_calling"))).toEqual([{ by: "model", messageIndex: 3, saidAt: at(25) }]);
    expect(heard(calls("stop_calling", "tool_1"))).toEqual([]);
    expect(heard(calls("end_call"))).toEqual([]);
  });

  it("counts once a call: the first", () => {
    const again = says("Never call me again!", 4, { turn: 2 });
    expect(heard(says("Never call me again.", 1), calls("stop_calling"), ...presses("9", 3), again)).toEqual([
      { by: "words", messageIndex: 1, saidAt: at(21) },
    ]);
  });

  it("is not heard in words while the last verdict is a machine, whose greeting may still be heard", () => {
    const words = says("Never call me again.", 1);
    expect(heard(judged("machine"), words)).toEqual([]);
    expect(heard(judged("machine"), judged("human"), words)).toHaveLength(1);
    expect(heard(machineAnswered, words)).toEqual([]);
    expect(heard(judged("machine"), ...presses("9", 1))).toHaveLength(1);
    expect(heard(judged("machine"), calls("stop_calling"))).toHaveLength(1);
  });

  it("is not heard in words that were erased", () => {
    expect(heard(says(null, 1))).toEqual([]);
  });

  it("stays the same however long the turn was before it", () => {
    const long = Array.from({ length: 40 }, (_, index) => says(`${"word ".repeat(200)}.`, index));
    expect(heard(...long, says("Never call me again.", 40))).toHaveLength(1);
    const book = newOptOutBook();
    for (const event of long) heardOptOut(book, event, () => LISTENS);
    expect(book.words.join("").length).toBeLessThan(3 * WORDS_CHARACTERS);
  });
});

describe("who listens", () => {
  const events = [says("Never call me again.", 1), ...presses("9", 2), calls("stop_calling")] as const;

  it("is nobody whose assistant says off, says nothing, or is not known", () => {
    const { optOut: _listen, ...before } = LISTENS;
    expect(heardIn(events, () => ({ ...LISTENS, optOut: "off" }))).toEqual([]);
    expect(heardIn(events, () => before)).toEqual([]);
    expect(heardIn(events, () => null)).toEqual([]);
  });

  it("is whom the call was handed over to, each with a key of its own", () => {
    const of = (id: string | null) => (id === "ast_2" ? { ...LISTENS, optOutDigit: "5" } : LISTENS);
    expect(heardIn([handedOver, ...presses("9", 4)], of)).toEqual([]);
    expect(heardIn([handedOver, ...presses("5", 4)], of)).toHaveLength(1);
    expect(heardIn(presses("9", 4), of)).toHaveLength(1);
    const off = (id: string | null) => (id === "ast_2" ? LISTENS : null);
    const words = says("Never call me again.", 4, { assistantId: "ast_2", turn: 2 });
    expect(heardIn([handedOver, words], off)).toHaveLength(1);
    expect(heardIn([words], (id) => (id === "ast_1" ? LISTENS : null))).toEqual([]);
  });
});
