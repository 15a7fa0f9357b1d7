import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  property,
  record,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { rehearsalRoutes } from "../../contract/rehearsal.ts";
import {
  bodyOf,
  caseLike,
  controlOf,
  draftOf,
  EXPECT_KINDS,
  type ExpectRow,
  newCase,
  newExpect,
  newReply,
  newTurn,
  notJson,
  type RehearsalDraft,
} from "../../dashboard/src/pages/rehearsal/rehearsal-draft.ts";

const ASSISTANT = "ast_01k4b2s9h3e8t9v0w1x2y3z4a5";
const CALL = "call_01k4b2s9h3e8t9v0w1x2y3z4a5";
const schema = rehearsalRoutes.createRehearsal.body;
type Body = ReturnType<typeof bodyOf>;

const words = string({ minLength: 1, maxLength: 20 }).map((text) => `a${text.trim()}`);
const few = <T>(of: Arbitrary<T>, minLength = 0) => array(of, { minLength, maxLength: 3 });
const turn = oneof(words, record({ keys: constantFrom("1", "12#") }), constant({ silence: true as const }));
const json = dictionary(constantFrom("day", "who"), oneof(words, integer(), boolean()), { minKeys: 1 });
const expectation = oneof(
  record({ outcome: record({ confirmed: oneof(boolean(), constant(null), words, integer()) }) }),
  record({ success: boolean() }),
  record({ says: words }),
  record({ neverSays: few(words, 1) }),
  record({ tool: words }),
  record({ tool: words, arguments: json }),
  record({ noTool: words }),
  record({ handsOffTo: words }),
  record({ endReason: constantFrom("customer_ended", "api_ended") }),
  record({ optedOut: boolean() }),
  record({ callback: boolean() }),
  record({ turnsAtMost: integer({ min: 0, max: 100 }) }),
);
const reply = oneof(
  record({ answer: words }),
  record({ when: json, answer: words }),
  record({ fails: constantFrom("timed_out" as const, "failed" as const) }),
);
const givenCase = record(
  {
    name: words,
    caller: oneof(
      record({ says: few(turn) }),
      constant({ callId: CALL }),
      record({ persona: words }),
      record({ persona: words, goal: words }),
    ),
    expect: few(expectation, 1),
    fromCallId: constant(CALL),
    at: constant("2026-12-01T09:30:00.000Z"),
    contact: record({ name: words, customData: json, timezone: constant("Europe/Istanbul") }),
    greetingMessage: words,
    specialInstructions: words,
    tools: dictionary(constantFrom("lookup", "book"), few(reply, 1), { minKeys: 1 }),
    passAt: constantFrom(0, 0.5, 1),
    maxTurns: integer({ min: 1, max: 20 }),
  },
  { requiredKeys: ["name", "caller", "expect"] },
);
const given: Arbitrary<Body> = record({
  name: words,
  assistantId: constant(ASSISTANT),
  version: constantFrom("draft" as const, "published" as const, 3),
  baseline: boolean(),
  cases: few(givenCase, 1),
  expect: few(expectation),
  repeat: integer({ min: 1, max: 5 }),
  passAt: constantFrom(0, 0.5, 1),
  maxTokens: integer({ min: 1_000, max: 10_000_000 }),
});
const draftWith = (changes: Partial<RehearsalDraft>): RehearsalDraft => ({
  name: "Monday",
  version: "draft",
  baseline: false,
  cases: [],
  expect: [],
  repeat: "",
  passAt: "",
  maxTokens: "",
  ...changes,
});
const ofKind = (kind: ExpectRow["kind"], changes: Partial<ExpectRow> = {}): ExpectRow => ({
  ...newExpect(kind, "lookup"),
  ...changes,
});

describe("a rehearsal in its form", () => {
  it("comes back as it was given", () => {
    assert(
      property(given, (body) => {
        expect(bodyOf(ASSISTANT, draftOf({ ...body, version: body.version ?? "draft" }))).toEqual(body);
      }),
      { numRuns: 50 },
    );
  });

  it("is what the service takes, with every kind of turn and expectation, and leaves out what is empty", () => {
    const says = [
      newTurn("machine", "Beep"),
      newTurn("words", "Yes"),
      newTurn("keys", "1"),
      newTurn("silence"),
    ];
    const texts = { says: "hello", neverSays: "no\n\n yes ", handsOffTo: "Bo", tool: '{"day": 1}' };
    const expected = EXPECT_KINDS.map((kind) =>
      ofKind(kind, Object.hasOwn(texts, kind) ? { value: texts[kind as keyof typeof texts] } : {}),
    );
    const one = newCase("confirms", { kind: "written", turns: says }, expected);
    const body = bodyOf(ASSISTANT, draftWith({ cases: [one] }));
    expect(schema?.safeParse(body).error?.issues ?? []).toEqual([]);
    expect(Object.keys(body.cases[0] ?? {})).toEqual(["name", "caller", "expect"]);
    expect(body.cases[0]?.expect).toContainEqual({ neverSays: ["no", "yes"] });
    expect(body).not.toHaveProperty("repeat");
  });

  it("has a row for each field of an outcome, and rows of its own in a copy", () => {
    const kept = { outcome: { confirmed: true, day: null } };
    const draft = draftOf({ name: "x", version: "draft", cases: [], expect: [kept] });
    expect(draft.expect.map(({ name, value }) => [name, value])).toEqual([
      ["confirmed", true],
      ["day", null],
    ]);
    const one = newCase("a", { kind: "written", turns: [newTurn()] }, [newExpect("says")]);
    const other = caseLike({ ...one, replies: [newReply("lookup")] }, "b");
    const all = [one.id, other.id, one.expect[0]?.id, other.expect[0]?.id];
    expect(new Set(all).size).toBe(all.length);
  });

  it("finds the control of what is refused, and of what is no JSON", () => {
    const replies = ["lookup", "book", "lookup"].map((tool) => ({ ...newReply(tool), when: "[1]" }));
    const bad = ofKind("tool", { value: "{day}" });
    const one = { ...newCase("a", { kind: "past", callId: CALL }, [bad]), replies, customData: "null" };
    const draft = draftWith({ cases: [one], expect: [bad, ofKind("tool")] });
    expect(notJson(draft)).toEqual([
      "expect.0",
      "cases.0.contact.customData",
      "cases.0.tools.0.when",
      "cases.0.tools.1.when",
      "cases.0.tools.2.when",
      "cases.0.expect.0",
    ]);
    const at = (...path: (string | number)[]) => controlOf(draft, path);
    expect(at("cases", 0, "tools", "lookup", 1, "answer")).toBe("cases.0.tools.2.answer");
    expect(at("cases", 0, "tools", "book", 0)).toBe("cases.0.tools.1.tool");
    expect(at("cases", 0, "expect", 0, "outcome", "day")).toBe("cases.0.expect.0");
    expect(at("cases", 0, "expect")).toBe("cases.0.name");
    expect(at("cases", 0, "caller", "says", 2)).toBe("cases.0.caller.says.2");
    expect(at("cases", 0, "caller", "callId")).toBe("cases.0.caller.callId");
    expect(at("cases", 0, "contact", "timezone")).toBe("cases.0.contact.timezone");
    expect(at("expect", 1, "tool")).toBe("expect.1");
    expect(at("maxTokens")).toBe("maxTokens");
  });
});
