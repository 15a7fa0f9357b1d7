import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasWords, judgeRun } from "../../../domain/rehearsal/judge-run.ts";
import { areEqual, isPartOf } from "../../../domain/rehearsal/part-of.ts";
import type { Expectation } from "../../../domain/rehearsal/rehearsal.ts";
import type { RunFacts, RunMessage } from "../../../domain/rehearsal/run-result.ts";
import type { JsonValue } from "../../../domain/shared/json.ts";

const NOTHING: RunFacts = {
  messages: [],
  outcome: null,
  endReason: null,
  optedOut: false,
  callback: false,
  turns: 0,
  tools: [],
  handoffs: [],
};

const message = (index: number, content: string, more: Partial<RunMessage> = {}): RunMessage => ({
  ...{ index, role: "assistant", content, intended: null, kind: "answer" },
  ...more,
});

/** What is wrong with the expectation; null: it holds. */
function judged(expectation: Expectation, facts: Partial<RunFacts>) {
  const [failure = null] = judgeRun([expectation], { ...NOTHING, ...facts });
  if (failure === null) return null;
  expect(failure.expect).toBe(expectation);
  return { got: failure.got, messageIndex: failure.messageIndex };
}

const holds = (expectation: Expectation, facts: Partial<RunFacts>) => judged(expectation, facts) === null;

describe("says", () => {
  const said = (text: string) => ({ messages: [message(3, text)] });

  it.each([
    ["your appointment", "Your APPOINTMENT, madam.", true],
    ["appointment", "Your appointments", false],
    ["see you tomorrow", "See you ... tomorrow!", true],
    ["randevunuz iptal", "RANDEVUNUZ İPTAL edildi", true],
    ["iptal", "IPTAL", true],
    ["ılık", "İLİK", true],
    ["cafe", "Café", true],
    ["12 30", "at 12:30", true],
    ["1230", "at 12:30", false],
    ["ﬁne", "fine", true],
    ["see you", "you see", false],
  ])("%j in %j: %s", (words, text, isThere) => {
    expect(holds({ says: words }, said(text))).toBe(isThere);
    expect(holds({ neverSays: [words] }, said(text))).toBe(!isThere);
  });

  it("hears the assistant alone, and no filler", () => {
    const messages = [
      message(0, "goodbye", { role: "customer", kind: null }),
      message(1, "goodbye", { role: "tool", kind: null }),
      message(2, "goodbye", { kind: "filler" }),
    ];
    const not = { got: "The assistant did not say it", messageIndex: null };
    expect(judged({ says: "goodbye" }, { messages })).toEqual(not);
    expect(
      holds({ says: "goodbye" }, { messages: [...messages, message(4, "Goodbye", { kind: "warning" })] }),
    ).toBe(true);
  });

  it("counts what was heard; what was cut is named", () => {
    const messages = [message(2, "Your appointment is", { intended: "Your appointment is on Monday" })];
    expect(judged({ says: "on Monday" }, { messages })).toEqual({
      got: "The customer spoke before it was heard",
      messageIndex: 2,
    });
  });

  it("is never said, not even in words that were cut, and in no filler", () => {
    const messages = [
      message(0, "Hello"),
      message(2, "There is a", { intended: "There is a discount" }),
      message(4, "One moment", { kind: "filler" }),
      message(5, "discount", { role: "customer", kind: null }),
    ];
    const neverSays = ["free of charge", "discount"];
    expect(judged({ neverSays }, { messages })).toEqual({ got: "discount", messageIndex: 2 });
    expect(judged({ neverSays: ["one moment"] }, { messages })).toEqual({
      got: "one moment",
      messageIndex: 4,
    });
    expect(holds({ neverSays: ["free of charge"] }, { messages })).toBe(true);
  });

  it("is found as if each phrase was sought by itself: the first message, then the first phrase", () => {
    const talk = (words: string[], most: number) =>
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((all) => all.join(" "));
    const texts = fc.array(talk(["one", "One,", "two", "three", "one-two", "..."], 12), { maxLength: 5 });
    const phrases = fc.array(talk(["one", "two", "three", "twothree"], 4), { minLength: 1, maxLength: 8 });
    const plain = (text: string) =>
      ` ${
        text
          .toLowerCase()
          .match(/[a-z]+/g)
          ?.join(" ") ?? ""
      } `;
    fc.assert(
      fc.property(texts, fc.array(phrases, { minLength: 1, maxLength: 4 }), (said, all) => {
        const messages = said.map((text, place) => message(2 * place, text));
        const expectations = all.map((neverSays) => ({ neverSays }));
        const found = all.flatMap((neverSays, place) => {
          const hits = said.flatMap((text, at) =>
            neverSays
              .filter((each) => plain(text).includes(plain(each)))
              .map((got) => [2 * at, got] as const),
          );
          const [[messageIndex, got] = []] = hits;
          return got === undefined ? [] : [{ expect: expectations[place], got, messageIndex }];
        });
        expect(judgeRun(expectations, { ...NOTHING, messages })).toEqual(found);
      }),
    );
  });
});

describe("the outcome", () => {
  const outcome = { fields: { confirmed: true, day: "monday", count: null }, success: true };

  it("has each of the fields, or names those that differ", () => {
    expect(holds({ outcome: { confirmed: true, count: null } }, { outcome })).toBe(true);
    expect(judged({ outcome: { confirmed: true, day: "friday", other: 1 } }, { outcome })).toEqual({
      got: { day: "monday", other: null },
      messageIndex: null,
    });
    expect(holds({ outcome: { toString: null } }, { outcome })).toBe(true);
  });

  it("holds nothing where nothing was analysed", () => {
    expect(judged({ outcome: { count: null } }, {})).toEqual({ got: null, messageIndex: null });
    expect(judged({ success: false }, {})).toEqual({ got: null, messageIndex: null });
  });
});

describe("tools", () => {
  const use = (name: string, given: JsonValue, messageIndex: number) => ({
    names: [name, name.replaceAll(" ", "_")],
    arguments: given,
    messageIndex,
  });
  const tools = [use("book it", { day: "monday", at: { hour: 9, minute: 0 } }, 4), use("look up", {}, 2)];

  it("are used by either name, with these among the arguments", () => {
    expect(holds({ tool: "book it" }, { tools })).toBe(true);
    expect(holds({ tool: "book_it", arguments: { at: { hour: 9 } } }, { tools })).toBe(true);
    expect(judged({ tool: "book it", arguments: { day: "friday" } }, { tools })).toEqual({
      got: { day: "monday", at: { hour: 9, minute: 0 } },
      messageIndex: 4,
    });
    expect(judged({ tool: "cancel" }, { tools })).toEqual({ got: "It was not used", messageIndex: null });
  });

  it("are not used where they must not be", () => {
    expect(judged({ noTool: "look up" }, { tools })).toEqual({ got: {}, messageIndex: 2 });
    expect(holds({ noTool: "cancel" }, { tools })).toBe(true);
  });
});

it("a handoff goes to the member, or to whom it is named after", () => {
  const handoffs = [{ names: ["mbr_1", "Ada"], messageIndex: 5 }];
  expect(holds({ handsOffTo: "Ada" }, { handoffs })).toBe(true);
  expect(holds({ handsOffTo: "mbr_1" }, { handoffs })).toBe(true);
  expect(judged({ handsOffTo: "Bob" }, { handoffs })).toEqual({ got: ["mbr_1", "Ada"], messageIndex: 5 });
  expect(judged({ handsOffTo: "Bob" }, {})).toEqual({ got: "Nobody took over", messageIndex: null });
});

it.each<[Expectation, Partial<RunFacts>, Partial<RunFacts>]>([
  [{ endReason: "customer_ended" }, { endReason: "customer_ended" }, { endReason: "assistant_ended" }],
  [{ optedOut: true }, { optedOut: true }, { optedOut: false }],
  [{ callback: false }, { callback: false }, { callback: true }],
  [{ turnsAtMost: 3 }, { turns: 3 }, { turns: 4 }],
  [
    { success: true },
    { outcome: { fields: {}, success: true } },
    { outcome: { fields: {}, success: false } },
  ],
])("%j holds and does not", (expectation, good, bad) => {
  expect(holds(expectation, good)).toBe(true);
  expect(holds(expectation, bad)).toBe(false);
});

describe("whatever the words", () => {
  const words = fc.stringMatching(/^[\p{L}\p{N}]{1,8}( [\p{L}\p{N}]{1,8}){0,3}$/u).filter(hasWords);

  it("what was said was said, among others, in either case and with marks between", () => {
    fc.assert(
      fc.property(words, words, words, (before, sought, after) => {
        const text = `${before}, ${sought.replaceAll(" ", " – ")}! ${after}`;
        expect(holds({ says: sought }, { messages: [message(0, text)] })).toBe(true);
        expect(holds({ says: sought }, { messages: [message(0, text.normalize("NFD"))] })).toBe(true);
      }),
    );
  });

  it("says and neverSays are opposites of what was heard to its end", () => {
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 4 }), (sought, texts) => {
        const messages = texts.map((text, index) => message(index, text));
        expect(holds({ says: sought }, { messages })).toBe(!holds({ neverSays: [sought] }, { messages }));
      }),
    );
  });

  it("one more expectation never mends a run, and failures keep the order", () => {
    const expectations = fc.array(
      fc.oneof(
        words.map((says) => ({ says })),
        fc.boolean().map((optedOut) => ({ optedOut })),
        fc.nat(3).map((turnsAtMost) => ({ turnsAtMost })),
      ),
    );
    fc.assert(
      fc.property(expectations, expectations, fc.nat(3), (some, more, turns) => {
        const facts = { ...NOTHING, turns };
        const failures = judgeRun([...some, ...more], facts);
        expect(failures).toEqual([...judgeRun(some, facts), ...judgeRun(more, facts)]);
      }),
    );
  });
});

describe("a part of JSON", () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
  const object = fc.dictionary(fc.string(), json);

  it("everything is a part of itself, and an object of one that has more", () => {
    fc.assert(
      fc.property(object, object, (part, more) => {
        expect(isPartOf(part, part)).toBe(true);
        expect(isPartOf(part, { ...more, ...part })).toBe(true);
      }),
    );
  });

  it("parts of each other are equal, and equal ones are parts of each other", () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(isPartOf(one, other) && isPartOf(other, one)).toBe(areEqual(one, other));
      }),
    );
  });

  it("a list is whole, and a name that objects have is no field", () => {
    expect(isPartOf([1], [1, 2])).toBe(false);
    expect(isPartOf({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] })).toBe(false);
    expect(isPartOf({ toString: null }, {})).toBe(false);
    expect(isPartOf({ a: null }, {})).toBe(false);
    expect(areEqual({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });
});

it("what was said is folded once, however many words are looked for in it", () => {
  const messages = Array.from({ length: 60 }, (_each, index) => message(index, "Ça va bien. ".repeat(340)));
  const neverSays = (nth: number) => Array.from({ length: 50 }, (_each, index) => `va bien ${nth} ${index}`);
  const expectations = Array.from({ length: 20 }, (_each, nth) => ({ neverSays: neverSays(nth) }));
  const before = process.cpuUsage();
  expect(judgeRun(expectations, { ...NOTHING, messages })).toEqual([]);
  // 0.2 s on two slow cores; 1,000 times that text would be folded in ten.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});
