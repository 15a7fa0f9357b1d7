import type { RehearsalRequest } from "../../../../contract/rehearsal.ts";
import type { GivenCaller, GivenReply, GivenTurn } from "../../../../contract/rehearsal-case.ts";
import { END_REASONS, type EndReason } from "../../../../domain/call/end-reason.ts";
import type { Expectation } from "../../../../domain/rehearsal/rehearsal.ts";
import type { JsonObject, JsonValue } from "../../../../domain/shared/json.ts";

type GivenCase = RehearsalRequest["cases"][number];

export const TURN_KINDS = ["words", "keys", "silence", "machine"] as const;
export type TurnKind = (typeof TURN_KINDS)[number];
export const REPLY_KINDS = ["answer", "timed_out", "failed"] as const;
export const EXPECT_KINDS = [
  "outcome",
  "success",
  "says",
  "neverSays",
  "tool",
  "noTool",
  "handsOffTo",
  "endReason",
  "optedOut",
  "callback",
  "turnsAtMost",
] as const satisfies readonly KeyOf<Expectation>[];
/** How a call may end once it was answered. */
export const END_REASON_NAMES = [
  "customer_ended",
  "assistant_ended",
  "max_duration",
  "silence_timeout",
  "transferred",
  "voicemail_message_left",
  "voicemail",
  "assistant_error",
] as const satisfies readonly EndReason[];
export type ExpectKind = (typeof EXPECT_KINDS)[number];
type KeyOf<Union> = Union extends unknown ? keyof Union : never;

export type TurnRow = { readonly id: number; readonly kind: TurnKind; readonly text: string };

export type ReplyRow = {
  readonly id: number;
  readonly tool: string;
  /** JSON; empty: for any arguments. */
  readonly when: string;
  readonly kind: (typeof REPLY_KINDS)[number];
  readonly answer: string;
};

export type ExpectRow = {
  readonly id: number;
  readonly kind: ExpectKind;
  /** Of `outcome` the field, of `tool` and `noTool` the tool. */
  readonly name: string;
  /** Of `outcome` the value, of `tool` its arguments as JSON, of `neverSays` one text a line. */
  readonly value: JsonValue;
};

export type CallerDraft =
  | { readonly kind: "written"; readonly turns: readonly TurnRow[] }
  | { readonly kind: "past"; readonly callId: string }
  | { readonly kind: "persona"; readonly persona: string; readonly goal: string };

/** A case as in its controls; an empty text is left out of the request. */
export type CaseDraft = {
  /** Tells cases apart while they come and go. */
  readonly id: number;
  readonly name: string;
  readonly caller: CallerDraft;
  /** The call that it was written from; null: none. */
  readonly fromCallId: string | null;
  /** As the API has it, UTC. */
  readonly at: string;
  readonly contactName: string;
  /** JSON. */
  readonly customData: string;
  readonly timezone: string;
  readonly greetingMessage: string;
  readonly specialInstructions: string;
  readonly replies: readonly ReplyRow[];
  readonly expect: readonly ExpectRow[];
  readonly passAt: string;
  readonly maxTurns: string;
};

export type RehearsalDraft = {
  readonly name: string;
  readonly version: "draft" | "published" | number;
  readonly baseline: boolean;
  readonly cases: readonly CaseDraft[];
  /** For every case. */
  readonly expect: readonly ExpectRow[];
  readonly repeat: string;
  readonly passAt: string;
  readonly maxTokens: string;
};

let lastId = 0;
function withId<Row>(row: Row): Row & { readonly id: number } {
  lastId += 1;
  return { ...row, id: lastId };
}

export const newTurn = (kind: TurnKind = "words", text = ""): TurnRow => withId({ kind, text });
export const newReply = (tool: string): ReplyRow =>
  withId({ tool, when: "", kind: "answer" as const, answer: "" });
export const newExpect = (kind: ExpectKind, name = ""): ExpectRow =>
  withId({ kind, name, value: firstValue(kind) });

/** What the control of an expectation begins with. */
function firstValue(kind: ExpectKind): JsonValue {
  if (kind === "success" || kind === "optedOut" || kind === "callback") return true;
  if (kind === "endReason") return "assistant_ended";
  return kind === "turnsAtMost" ? "6" : "";
}

export const newCase = (name: string, caller: CallerDraft, expect: readonly ExpectRow[] = []): CaseDraft =>
  withId({
    name,
    caller,
    fromCallId: null,
    at: "",
    contactName: "",
    customData: "",
    timezone: "",
    greetingMessage: "",
    specialInstructions: "",
    replies: [],
    expect,
    passAt: "",
    maxTurns: "",
  });

/** Another one with the same content; rows have ids of their own. */
export const caseLike = (of: CaseDraft, name: string): CaseDraft =>
  withId({
    ...of,
    name,
    caller: of.caller.kind === "written" ? { ...of.caller, turns: of.caller.turns.map(withId) } : of.caller,
    replies: of.replies.map(withId),
    expect: of.expect.map(withId),
  });

/** What a rehearsal was begun with, as it is kept. */
export type Kept = Pick<RehearsalRequest, "cases" | "expect" | "repeat" | "maxTokens" | "baseline"> & {
  readonly name: string;
  readonly version: RehearsalDraft["version"];
  readonly passAt?: number | null | undefined;
};

const written = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

export const draftOf = (kept: Kept): RehearsalDraft => ({
  name: kept.name,
  version: kept.version,
  baseline: kept.baseline ?? false,
  cases: kept.cases.map(caseOf),
  expect: (kept.expect ?? []).flatMap(expectRowsOf),
  repeat: written(kept.repeat),
  passAt: written(kept.passAt),
  maxTokens: written(kept.maxTokens),
});

const caseOf = (given: GivenCase): CaseDraft => ({
  ...newCase(given.name, callerOf(given.caller), (given.expect ?? []).flatMap(expectRowsOf)),
  fromCallId: given.fromCallId ?? null,
  at: given.at ?? "",
  contactName: given.contact?.name ?? "",
  customData: written(given.contact?.customData),
  timezone: given.contact?.timezone ?? "",
  greetingMessage: given.greetingMessage ?? "",
  specialInstructions: given.specialInstructions ?? "",
  replies: Object.entries(given.tools ?? {}).flatMap(([tool, replies]) =>
    replies.map((reply) => ({
      ...newReply(tool),
      when: written(reply.when),
      kind: "fails" in reply ? reply.fails : ("answer" as const),
      answer: "fails" in reply ? "" : written(reply.answer),
    })),
  ),
  passAt: written(given.passAt),
  maxTurns: written(given.maxTurns),
});

function callerOf(given: GivenCaller): CallerDraft {
  if ("callId" in given) return { kind: "past", callId: given.callId };
  if ("persona" in given) return { kind: "persona", persona: given.persona, goal: given.goal ?? "" };
  return { kind: "written", turns: given.says.map(turnOf) };
}

function turnOf(given: GivenTurn): TurnRow {
  if (typeof given === "string") return newTurn("words", given);
  if ("keys" in given) return newTurn("keys", given.keys);
  return "machine" in given ? newTurn("machine", given.machine) : newTurn("silence");
}

/** The body of the API for an assistant. What is wrong is sent: the service reports it. */
export const bodyOf = (assistantId: string, draft: RehearsalDraft): RehearsalRequest => ({
  name: draft.name.trim(),
  assistantId,
  version: draft.version,
  baseline: draft.baseline,
  cases: draft.cases.map(givenCaseOf),
  expect: draft.expect.map(givenExpectOf),
  ...(draft.repeat === "" ? {} : { repeat: Number(draft.repeat) }),
  ...(draft.passAt === "" ? {} : { passAt: Number(draft.passAt) }),
  ...(draft.maxTokens === "" ? {} : { maxTokens: Number(draft.maxTokens) }),
});

function givenCaseOf(of: CaseDraft): GivenCase {
  const { name, fromCallId, at, greetingMessage, specialInstructions, passAt, maxTurns } = of;
  const contact = {
    ...(of.contactName === "" ? {} : { name: of.contactName }),
    ...(of.customData.trim() === "" ? {} : { customData: objectOf(of.customData) ?? {} }),
    ...(of.timezone === "" ? {} : { timezone: of.timezone.trim() }),
  };
  const tools = Map.groupBy(of.replies, ({ tool }) => tool);
  return {
    name: name.trim(),
    caller: givenCallerOf(of.caller),
    ...(fromCallId === null ? {} : { fromCallId }),
    ...(at === "" ? {} : { at }),
    ...(Object.keys(contact).length === 0 ? {} : { contact }),
    ...(greetingMessage === "" ? {} : { greetingMessage }),
    ...(specialInstructions === "" ? {} : { specialInstructions }),
    ...(tools.size === 0
      ? {}
      : { tools: Object.fromEntries([...tools].map(([tool, rows]) => [tool, rows.map(givenReplyOf)])) }),
    expect: of.expect.map(givenExpectOf),
    ...(passAt === "" ? {} : { passAt: Number(passAt) }),
    ...(maxTurns === "" ? {} : { maxTurns: Number(maxTurns) }),
  };
}

function givenCallerOf(caller: CallerDraft): GivenCaller {
  if (caller.kind === "past") return { callId: caller.callId };
  if (caller.kind === "written") return { says: caller.turns.map(givenTurnOf) };
  const { persona, goal } = caller;
  return goal === "" ? { persona } : { persona, goal };
}

function givenTurnOf({ kind, text }: TurnRow): GivenTurn {
  if (kind === "words") return text;
  if (kind === "keys") return { keys: text.trim() };
  return kind === "machine" ? { machine: text } : { silence: true };
}

/** An answer goes as text: that is how the model is shown it. */
function givenReplyOf({ when, kind, answer }: ReplyRow): GivenReply {
  const on = when.trim() === "" ? {} : { when: objectOf(when) ?? {} };
  return kind === "answer" ? { ...on, answer } : { ...on, fails: kind };
}

function givenExpectOf({ kind, name, value }: ExpectRow): Expectation {
  const text = written(value);
  if (kind === "outcome") return { outcome: { [name]: value } };
  if (kind === "success") return { success: value === true };
  if (kind === "optedOut") return { optedOut: value === true };
  if (kind === "callback") return { callback: value === true };
  if (kind === "says") return { says: text.trim() };
  if (kind === "neverSays") return { neverSays: linesOf(text) };
  if (kind === "noTool") return { noTool: name };
  if (kind === "handsOffTo") return { handsOffTo: text.trim() };
  if (kind === "turnsAtMost") return { turnsAtMost: Number(text) };
  if (kind === "endReason") return { endReason: endReasonOf(text) };
  return text.trim() === "" ? { tool: name } : { tool: name, arguments: objectOf(text) ?? {} };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const isEndReason = (text: string): text is EndReason => Object.hasOwn(END_REASONS, text);
const endReasonOf = (text: string): EndReason => (isEndReason(text) ? text : "assistant_ended");

/** Several fields in one expectation are several rows: each of them must hold all the same. */
function expectRowsOf(given: Expectation): readonly ExpectRow[] {
  if ("outcome" in given)
    return Object.entries(given.outcome).map(([name, value]) => ({ ...newExpect("outcome", name), value }));
  if ("tool" in given) return [{ ...newExpect("tool", given.tool), value: written(given.arguments) }];
  if ("noTool" in given) return [newExpect("noTool", given.noTool)];
  if ("neverSays" in given) return [{ ...newExpect("neverSays"), value: given.neverSays.join("\n") }];
  if ("turnsAtMost" in given) return [{ ...newExpect("turnsAtMost"), value: String(given.turnsAtMost) }];
  return Object.entries(given).map(([kind, value]) => ({ ...newExpect(kindOf(kind)), value }));
}

const kindOf = (name: string): ExpectKind => EXPECT_KINDS.find((kind) => kind === name) ?? "says";

/** An object of JSON; null: the text is none. */
function objectOf(text: string): JsonObject | null {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Controls, by name, whose text should be an object of JSON and is none. */
export function notJson({ cases, expect }: RehearsalDraft): readonly string[] {
  const bad = (name: string, text: string) => (text.trim() === "" || objectOf(text) !== null ? [] : [name]);
  const ofExpect = (rows: readonly ExpectRow[], before: string) =>
    rows.flatMap(({ kind, value }, at) =>
      kind === "tool" ? bad(`${before}expect.${at}`, written(value)) : [],
    );
  return [
    ...ofExpect(expect, ""),
    ...cases.flatMap((of, at) => [
      ...bad(`cases.${at}.contact.customData`, of.customData),
      ...of.replies.flatMap(({ when }, row) => bad(`cases.${at}.tools.${row}.when`, when)),
      ...ofExpect(of.expect, `cases.${at}.`),
    ]),
  ];
}

/** The control that a path of the API means: `cases.1.tools.lookup.0.answer` is `cases.1.tools.2.answer`. */
export function controlOf({ cases }: RehearsalDraft, path: readonly (string | number)[]): string {
  const [first, place, part, at, row, field] = path;
  if (first === "expect") return `expect.${place ?? 0}`;
  if (first !== "cases" || place === undefined) return String(first ?? "");
  const before = `cases.${place}`;
  if (part === "expect" && at !== undefined) return `${before}.expect.${at}`;
  if (part === "contact" && at !== undefined) return `${before}.contact.${at}`;
  if (part === "caller" && at !== undefined)
    return [before, part, at, ...(at === "says" ? [row ?? 0] : [])].join(".");
  if (part === "tools" && at !== undefined) {
    const rows =
      cases[Number(place)]?.replies.flatMap(({ tool }, index) => (tool === at ? [index] : [])) ?? [];
    const index = rows[Number(row ?? 0)] ?? 0;
    return `${before}.tools.${index}.${field === "answer" || field === "when" ? field : "tool"}`;
  }
  return `${before}.${part === "expect" || part === undefined ? "name" : part}`;
}
