import { describe, expect, it } from "vitest";
import { changedMessage, messageOf, toolCallIdOf } from "../../../application/call/shown-messages.ts";
import type { ShownMessage } from "../../../contract/conversation.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import {
  cut,
  digits,
  handedOver,
  keys,
  message,
  spoken,
  toolBegan,
  toolEnded,
} from "../../projections/example-events.ts";

const at = "2026-09-01T10:00:20.000Z";
const place = { callId: "call_1", at, epoch: 1 } as const;
const said = { index: 4, role: "assistant", content: "Your order is on its way." } as const;
const tool = (n: number) => toolBegan(place, { n, index: 5, turn: 2 });
const handoff = handedOver(place, { n: 3, index: 6, turn: 2 });
const TOOL: ShownMessage = {
  index: 5,
  role: "tool",
  assistantId: "ast_1",
  content: "look_up was asked",
  at,
  offsetMs: 20,
  turn: 2,
  toolName: "look_up",
  arguments: { order: "4711" },
  result: null,
};

describe("the transcript of a call", () => {
  it("shows what was said as the log has it", () => {
    expect(messageOf(spoken(place, said))).toEqual({ ...said, assistantId: "ast_1", at, offsetMs: 10 });
  });

  it("shows a tool that was asked with its arguments, and with its id if it has one", () => {
    expect(messageOf(tool(1))).toEqual({ ...TOOL, toolId: "tool_1" });
    expect(messageOf(tool(2))).toStrictEqual(TOOL);
  });

  it("shows a handing over as the answer of its tool, in the name of who gave the call away", () => {
    expect(messageOf(handoff)).toEqual({
      index: 6,
      role: "tool",
      assistantId: "ast_1",
      content: "Handed over to ast_2",
      at,
      offsetMs: 30,
      turn: 2,
      toolName: "to_sales",
      arguments: { topic: "price" },
      result: { assistantId: "ast_2", assistantVersion: 3 },
      isError: false,
    });
  });

  it("shows pressed keys once, as words of the customer", () => {
    const shown = keys(place, { index: 5, turn: 2 }, "12#").map(messageOf);
    const pressed = { index: 5, role: "customer", content: "[keys: 12#]", turn: 2 };
    expect(shown).toEqual([null, { ...pressed, assistantId: null, at, offsetMs: 10 }]);
  });

  it("shows nothing of its own for a cut, a result and digits", () => {
    const others = [cut(place, 4, "Your"), toolEnded(place, 1, "answered", "ok"), digits(place, 2, "1")];
    expect(others.map(messageOf)).toEqual([null, null, null]);
  });
});

it("only a tool that was asked waits for a result", () => {
  expect(toolCallIdOf(tool(1))).toBe("call_1-1");
  // its result is in the message already
  expect([handoff, message("call_1", at, "ref", 4)].map(toolCallIdOf)).toEqual([null, null]);
});

function changed(shown: ShownMessage, event: CallEvent): ShownMessage {
  if (event.type === "CallSpeechCut" || event.type === "CallToolEnded") return changedMessage(shown, event);
  throw new Error(event.type);
}

describe("a message that something happens to", () => {
  const spokenMessage: ShownMessage = { ...said, assistantId: "ast_1", at, offsetMs: 10 };

  it("says what was heard and what was meant when it was cut", () => {
    expect(changed(spokenMessage, cut(place, 4, "Your order"))).toEqual({
      ...spokenMessage,
      content: "Your order",
      interrupted: true,
      intended: said.content,
    });
  });

  it.each([
    ["answered", "look_up answered", false],
    ["failed", "look_up failed", true],
    ["timed_out", "look_up did not answer in time", true],
    ["refused", "look_up was not asked: refused", true],
    ["unknown", "look_up: whether it was carried out is unknown", true],
  ] as const)("says that a tool %s, with the result that may be shown", (outcome, content, isError) => {
    const ended = toolEnded(place, 1, outcome, "tomorrow");
    expect(changed(TOOL, ended)).toEqual({ ...TOOL, content, result: "tomorrow", isError });
  });

  it("says of a tool without a name only what became of it", () => {
    const { toolName: _, ...nameless } = TOOL;
    expect(changed(nameless, toolEnded(place, 1, "failed", null)).content).toBe(" failed");
  });
});
