import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../../application/ports/language-model.ts";
import { MOST_PIECES, readChunk } from "../../../infrastructure/models/openai/chat-chunk.ts";
import { chatMessages } from "../../../infrastructure/models/openai/chat-messages.ts";
import { refusalIn } from "../../../infrastructure/models/openai/failure-of.ts";
import { gatheredAnswer } from "../../../infrastructure/models/openai/gathered-answer.ts";

const FUNCTIONS = new Set(["order_status", "shop_hours"]);
const called = (name: string, more: object = {}, arguments_ = "{}") => ({
  ...more,
  function: { name, arguments: arguments_ },
});

/** What is made of frames whose first choice has these deltas; the last one also says that it is the end. */
function madeOf(deltas: readonly object[], finish: string | null = "stop") {
  const answer = gatheredAnswer("one", FUNCTIONS);
  let text = "";
  for (const [place, delta] of deltas.entries()) {
    const isLast = place === deltas.length - 1;
    const chunk = readChunk({ choices: [{ index: 0, delta, finish_reason: isLast ? finish : null }] });
    if (chunk !== null) text += answer.take(chunk).text;
  }
  answer.done();
  const rest = answer.rest();
  for (const part of rest) if (part.kind === "text") text += part.text;
  const calls = rest.flatMap((part) =>
    part.kind === "tool_call" ? [`${part.call.id} ${part.call.name} ${part.call.arguments}`] : [],
  );
  return { text, calls, isFinished: answer.isFinished() };
}

describe("an answer's frames", () => {
  it("count tokens that are whole numbers from 0 on, also as text, and know nothing of others", () => {
    const counted = (count: unknown) =>
      readChunk({ usage: { prompt_tokens: count, completion_tokens: 1 } })?.usage?.input;
    expect([0, 7, "12"].map(counted)).toEqual([0, 7, 12]);
    expect([-1, 1.5, "-3", "1e3", "", null, {}, 2 ** 60].map(counted)).toEqual(Array(8).fill(null));
  });

  it("may break off with a reason that is an error, without saying which", () => {
    for (const reason of ["error", "abort", "ERROR"])
      expect(() => madeOf([{ content: "Good" }], reason)).toThrow(
        expect.objectContaining({ kind: "unavailable" }),
      );
  });

  it("make a call of `function_call`, and none where there is none", () => {
    expect(madeOf([{ function_call: { name: "shop_hours", arguments: "{}" } }]).calls).toEqual([
      "call_1 shop_hours {}",
    ]);
    expect(madeOf([{ content: "Hi", function_call: null }])).toMatchObject({ text: "Hi", calls: [] });
  });

  it("are an answer that is over without a reason only once something of it has come", () => {
    expect(madeOf([{ content: "Hi" }], null).isFinished).toBe(true);
    expect(madeOf([{ tool_calls: [called("shop_hours")] }], null).isFinished).toBe(true);
    expect(madeOf([{ role: "assistant" }], null).isFinished).toBe(false);
  });

  it("are garbage where a call as text cannot be read and nothing else was said", () => {
    const broken = '<tool_call>{"name": "shop_hours", "arguments": {';
    expect(() => madeOf([{ content: broken }])).toThrow(expect.objectContaining({ kind: "garbage" }));
    expect(madeOf([{ content: "One moment. " }, { content: broken }]).text).toContain("One moment.");
  });
});

describe("pieces of calls", () => {
  const of = (...pieces: readonly object[]) => madeOf(pieces.map((piece) => ({ tool_calls: [piece] }))).calls;

  it("are one call for as long as none with a name begins another", () => {
    expect(of({ index: 0, id: "a", ...called("order_", {}, "") }, { index: 0, ...called("status") })).toEqual(
      ["a order_status {}"],
    );
    expect(
      of({ index: 0, ...called("shop_hours", {}, "") }, { index: 0, id: "late", ...called("shop_hours") }),
    ).toEqual(["late shop_hours {}"]);
    expect(
      of({ index: 0, ...called("shop_hours", {}, "{") }, { index: 0, ...called("order_status") }),
    ).toEqual(["call_1 shop_hours {", "call_2 order_status {}"]);
    expect(
      of({ index: 0, ...called(" order_status", {}, "{") }, { index: 0, ...called(" shop_hours ") }),
    ).toEqual(["call_1 order_status {", "call_2 shop_hours {}"]);
  });

  it("are garbage when there are more of them than any model makes, and not before", () => {
    const frames = (count: number) => [
      { tool_calls: [{ index: 0, ...called("shop_hours", {}, "") }] },
      ...Array.from({ length: count - 1 }, () => ({
        tool_calls: [{ index: 0, function: { arguments: " " } }],
      })),
    ];
    expect(madeOf(frames(MOST_PIECES)).calls).toEqual(["call_1 shop_hours {}"]);
    expect(() => madeOf(frames(MOST_PIECES + 1))).toThrow(expect.objectContaining({ kind: "garbage" }));
  });

  it("keep the fields that came with them, up to 16 Ki characters of JSON", () => {
    const kept = (length: number) => {
      const answer = gatheredAnswer("one", FUNCTIONS);
      const signature = "s".repeat(length - '{"signature":""}'.length);
      const tool_calls = [{ index: 0, id: "a", signature, ...called("shop_hours") }];
      const chunk = readChunk({ choices: [{ delta: { tool_calls }, finish_reason: "stop" }] });
      if (chunk !== null) answer.take(chunk);
      return answer.rest().some((part) => part.kind === "tool_call" && part.call.fields !== undefined);
    };
    expect([kept(16_384), kept(16_385)]).toEqual([true, false]);
  });
});

describe("messages for a server", () => {
  const system: ModelMessage = { role: "system", content: "Be brief." };
  const user: ModelMessage = { role: "user", content: "Hello" };
  const call = { id: "a", name: "shop_hours", arguments: "{}" };
  const asks: ModelMessage = { role: "assistant", content: "", toolCalls: [call] };
  const result = (toolCallId: string): ModelMessage => ({ role: "tool", toolCallId, content: "9 to 5" });

  it("have an empty text beside a call where it must be one, else null", () => {
    const [plain] = chatMessages([asks], new Set());
    const [text] = chatMessages([asks], new Set(["empty_text"] as const));
    expect([plain?.content, text?.content]).toEqual([null, ""]);
  });

  it("have the system's text before the first words of the user, or as these where there are none", () => {
    const without = (...messages: readonly ModelMessage[]) =>
      chatMessages(messages, new Set(["no_system_role"] as const));
    expect(without(system, user)).toEqual([{ role: "user", content: "Be brief.\n\nHello" }]);
    const [first, second] = without(system, asks);
    expect([first, second?.role]).toEqual([{ role: "user", content: "Be brief." }, "assistant"]);
    expect(without(user)).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("that take turns are one where two of a role follow each other, but for results of tools", () => {
    const turns = chatMessages(
      [system, user, user, asks, result("a"), result("b")],
      new Set(["roles_take_turns"] as const),
    );
    expect(turns.map(({ role, content }) => [role, content])).toEqual([
      ["system", "Be brief."],
      ["user", "Hello\nHello"],
      ["assistant", null],
      ["tool", "9 to 5"],
      ["tool", "9 to 5"],
    ]);
  });
});

it("a refusal names its parameter in whatever form servers write it", () => {
  const named = (text: string) => refusalIn(text).param;
  expect(named('{"error":{"param":"max_tokens"}}')).toBe("max_tokens");
  expect(named('{"detail":[{"loc" : [ "body" , "stream_options"],"msg":"extra"}]}')).toBe("stream_options");
  expect(named('{"error":"no"}')).toBeNull();
});
