import { describe, expect, it } from "vitest";
import { answerText } from "../../../application/conversation/answer-text/answer-text.ts";

const FUNCTIONS = new Set(["order_status", "end_call"]);
const BROKEN = "(broken call)";

/** What is said of the text that comes in pieces of so many units, and the calls in it. */
function heard(text: string, size: number): string {
  const answer = answerText(FUNCTIONS);
  let said = "";
  for (let from = 0; from < text.length; from += size) said += answer.take(text.slice(from, from + size));
  const { text: last, calls, hasBrokenCall } = answer.rest();
  const told = calls.map(({ name, arguments: given }) => `${name}(${given})`);
  return [(said + last).trim(), ...told, ...(hasBrokenCall ? [BROKEN] : [])]
    .filter((each) => each !== "")
    .join(" ");
}

const SAID: readonly (readonly [string, string])[] = [
  ["Good day.", "Good day."],
  ["  \n\nGood day.\n", "Good day."],
  // Reasoning.
  ["<think>\nThe user wants it.\n</think>\n\nGood day.", "Good day."],
  ["<thinking>hm</thinking>Good <reasoning>hm</reasoning>day.", "Good day."],
  ["The user wants it.\n</think>Good day.", "Good day."],
  ["Good day. <think>and now", "Good day."],
  ["[THINK]hm[/THINK]Good day.", "Good day."],
  [
    "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Good day.<|return|>",
    "Good day.",
  ],
  ["Good day.<|im_end|>", "Good day."],
  ["Good day.</s>", "Good day."],
  ["Good <th", "Good"],
  // Calls.
  [
    '<tool_call>\n{"name": "order_status", "arguments": {"orderId": "1"}}\n</tool_call>',
    'order_status({"orderId":"1"})',
  ],
  ['<function=order_status>{"orderId":"1"}</function>', 'order_status({"orderId":"1"})'],
  [
    '<invoke name="order_status"><parameter name="orderId">1</parameter></invoke>',
    'order_status({"orderId":"1"})',
  ],
  ["<function=order_status{}>", "order_status({})"],
  [
    "<tool_call><function=order_status>\n<parameter=orderId>\n1\n</parameter></function></tool_call>",
    'order_status({"orderId":"1"})',
  ],
  ['[TOOL_CALLS] [{"name":"order_status","arguments":{"orderId":"1"}}]', 'order_status({"orderId":"1"})'],
  ['[TOOL_CALLS]order_status{"orderId":"1"}', 'order_status({"orderId":"1"})'],
  ['<|python_tag|>{"name":"order_status","parameters":{"orderId":"1"}}', 'order_status({"orderId":"1"})'],
  [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.order_status:0<|tool_call_argument_begin|>{"orderId":"1"}<|tool_call_end|>',
    'order_status({"orderId":"1"})',
  ],
  [
    'Let me look. {"name": "order_status", "parameters": {"orderId": "1"}}',
    'Let me look. order_status({"orderId":"1"})',
  ],
  ['```json\n{"name":"order_status","arguments":{}}\n```', "order_status({})"],
  ['{"function":{"name":"end_call","arguments":"{}"}}', "end_call({})"],
  ['<tool_call>{"name":"unknown","arguments":{}}</tool_call>', BROKEN],
  ['{"name":"unknown","arguments":{}} Yes.', `Yes. ${BROKEN}`],
  ['<tool_call>{"name":"order_sta', BROKEN],
  ['One {"name":"order_sta', `One ${BROKEN}`],
  // No calls.
  ['Write {"a":1} or {x} or { or [ or <.', 'Write {"a":1} or {x} or { or or <.'],
  ["3 < 5 and 5 > 3", "3 < 5 and 5 > 3"],
  // Markdown.
  [
    "**Good day!** See [our page](https://example.com/x) 😀\n- one\n- two\n# Title",
    "Good day! See our page \none\ntwo\nTitle",
  ],
  ["*Hello*, _you_ and `that` ~~not~~ __this__ ***now***.", "Hello, you and that not this now."],
  ["![A cat](https://example.com/cat.png) sits.", "A cat sits."],
  ["It is so [1], [^2] and [not] a link.", "It is so , and not a link."],
  [
    "See https://www.example.com/path?x=1, or <https://shop.example.com/a>.",
    "See example.com, or shop.example.com.",
  ],
  ["Write to mailto:ali@example.com now", "Write to ali@example.com now"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "a b \n1 2"],
  ["> quoted\n\n---\n\n1. first", "quoted\n1. first"],
  ["<b>Good</b> day<br/>", "Good day"],
  ["Press * or #, or *7; 5 * 3 is snake_case.", "Press * or #, or *7; 5 * 3 is snake_case."],
  // Pictures and odd characters.
  ["Hi 👋🏽 👨‍👩‍👧 🇹🇷 1️⃣ ©2026 ™", "Hi 1 ©2026 ™"],
  ["Good \ud83d day\u0000.", "Good \ufffd day\ufffd."],
];

describe("what is said of a model's text", () => {
  it.each(SAID)("%s", (text, said) => {
    const whole = heard(text, text.length);
    expect(whole).toBe(said);
    for (const size of [1, 2, 3, 5, 8, 13]) {
      // A picture is taken out of the text, and a closing mark takes away what came before it, while they
      // are whole.
      if (text.startsWith("The user wants it")) continue;
      expect(heard(text, size)).toBe(whole);
    }
  });

  it("comes word by word, as soon as a word is whole", () => {
    const answer = answerText(FUNCTIONS);
    expect(["Good", " day", ". How", " are you"].map((piece) => answer.take(piece))).toEqual([
      "",
      "Good ",
      "day. ",
      "How are ",
    ]);
    expect(answer.rest().text).toBe("you");
  });
});
