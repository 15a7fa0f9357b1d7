import type { BodyOf, RouteAt } from "../../../../contract/asking.ts";
import type { JsonObject, JsonValue } from "../../../../domain/shared/json.ts";

export type Given = BodyOf<RouteAt<"POST", "/api/v1/rehearsals">>;
export type GivenCase = Given["cases"][number];
export type GivenExpectation = NonNullable<Given["expect"]>[number];
type GivenCaller = GivenCase["caller"];
type GivenTurn = Extract<GivenCaller, { says: unknown }>["says"][number];

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
] as const satisfies readonly KeyOf<GivenExpectation>[];
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
const withId = <Row>(row: Row): Row & { readonly id: number } => {
  lastId += 1;
  return { ...row, id: lastId };
};

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

/** What a rehearsal was begun with, as it is kept. */
export type Kept = Pick<Given, "cases" | "expect" | "repeat" | "passAt" | "maxTokens" | "baseline"> & {
  readonly name: string;
  readonly version: RehearsalDraft["version"];
};

const written = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

export const draftOf = (kept: Kept): RehearsalDraft => ({
  name: kept.name,
  version: kept.version,
  baseline: kept.baseline ?? false,
  cases: kept.cases.map(caseOf),
  expect: (kept.expect ?? []).map(expectOf),
  repeat: written(kept.repeat),
  passAt: written(kept.passAt),
  maxTokens: written(kept.maxTokens),
});

const caseOf = (given: GivenCase): CaseDraft => ({
  ...newCase(given.name, callerOf(given.caller), (given.expect ?? []).map(expectOf)),
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
