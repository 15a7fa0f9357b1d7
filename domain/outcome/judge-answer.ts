import type { OutcomeValue } from "../call/events.ts";
import { instantFromMillis, parseInstant } from "../shared/instant.ts";
import { storableText } from "../shared/storable-text.ts";
import { fitsUtf8 } from "../shared/utf8.ts";
import { type Fault, FORMS } from "./question.ts";
import {
  MOST_EVIDENCE,
  type OutcomeField,
  type OutcomeSettings,
  SUMMARY_BYTES,
  TEXT_BYTES,
} from "./settings.ts";
import type { Transcript } from "./transcript.ts";

/** What an answer is worth, in the form of CallAnalysed. */
export type JudgedAnswer = {
  /** All names; null: not proven. */
  readonly fields: Readonly<Record<string, OutcomeValue>>;
  /** Of each value that counts: ascending, distinct, at most 20. */
  readonly evidence: Readonly<Record<string, readonly number[]>>;
  /** Names with an answer that nothing proves, or that does not fit. */
  readonly unsupported: readonly string[];
  readonly summary: string | null;
  readonly success: boolean | null;
  /**
   * What one more question may repair; with place "" nothing of the answer could be read. Missing evidence is
   * none: a model that is pressed for it invents some.
   */
  readonly faults: readonly Fault[];
};

/** What is given for one name. `problem` null: it fits. */
type Given = {
  readonly value: OutcomeValue;
  readonly messages: readonly number[];
  readonly problem: string | null;
};
type Read = {
  /** null: it is an object. */
  readonly problem: string | null;
  readonly summary: Pick<Given, "problem"> & { readonly text: string | null };
  /** Of the object with the fields. */
  readonly fieldsProblem: string | null;
  readonly fields: ReadonlyMap<string, Given>;
};

const NO_VALUE: Given = { value: null, messages: [], problem: null };
const WANTED = 'must be {"messages": [numbers], "value": value or null}';

/**
 * What a model's answer is worth: JSON types exactly, evidence or nothing. `answer` is parsed JSON, or
 * undefined where there is none. Never throws. It looks for the names that were asked for and for nothing
 * else, so that depth and further members cost nothing; what it reads it reads once.
 */
export function judgeAnswer(outcome: OutcomeSettings, transcript: Transcript, answer: unknown): JudgedAnswer {
  return judged(outcome, read(outcome, provingIndexes(transcript), answer));
}

/**
 * The same of an answer that was asked for once more: what fitted in the first one stands, so that a repair
 * changes nothing beside what it was asked for.
 */
export function judgeRepaired(
  outcome: OutcomeSettings,
  transcript: Transcript,
  [first, second]: readonly [first: unknown, second: unknown],
): JudgedAnswer {
  const proving = provingIndexes(transcript);
  const before = read(outcome, proving, first);
  const after = read(outcome, proving, second);
  const fields = [...before.fields].map(([name, given]): [string, Given] => [
    name,
    given.problem === null ? given : (after.fields.get(name) ?? given),
  ]);
  return judged(outcome, {
    problem: before.problem === null ? null : after.problem,
    fieldsProblem: before.fieldsProblem === null ? null : after.fieldsProblem,
    summary: before.summary.problem === null ? before.summary : after.summary,
    fields: new Map(fields),
  });
}

function judged(
  { success }: OutcomeSettings,
  { problem, summary, fieldsProblem, fields }: Read,
): JudgedAnswer {
  const all = [...fields];
  const counting = all.filter(([, { messages }]) => messages.length > 0);
  const values = new Map<string, OutcomeValue>(counting.map(([name, { value }]) => [name, value]));
  const decisive = success === null ? null : (values.get(success.field) ?? null);
  const ofFields =
    fieldsProblem === null
      ? all.map(([name, given]) => ({ place: `fields.${name}`, problem: given.problem }))
      : [{ place: "fields", problem: fieldsProblem }];
  const faults = [{ place: "summary", problem: summary.problem }, ...ofFields];
  return {
    fields: Object.fromEntries(all.map(([name]) => [name, values.get(name) ?? null])),
    evidence: Object.fromEntries(counting.map(([name, { messages }]) => [name, messages])),
    unsupported: all.filter(([, given]) => isUnsupported(given)).map(([name]) => name),
    summary: summary.text,
    success: success === null || decisive === null ? null : success.in.some((each) => each === decisive),
    faults: (problem === null ? faults : [{ place: "", problem }]).flatMap(({ place, problem: why }) =>
      why === null ? [] : [{ place, problem: why }],
    ),
  };
}

function isUnsupported({ value, messages, problem }: Given): boolean {
  return problem !== null || (value !== null && messages.length === 0);
}

function read(outcome: OutcomeSettings, proving: ReadonlySet<number>, answer: unknown): Read {
  const object = objectOf(answer);
  const fields = objectOf(member(object, "fields"));
  const isMissing = fields === null && outcome.fields.length > 0;
  return {
    problem: object === null ? "must be one JSON object" : null,
    summary: outcome.summary ? readSummary(member(object, "summary")) : { text: null, problem: null },
    fieldsProblem: isMissing ? "must be an object with all the names" : null,
    fields: new Map(
      outcome.fields.map((field) => [
        field.name,
        isMissing ? misfit(WANTED) : readField(field, member(fields, field.name), proving),
      ]),
    ),
  };
}

function readSummary(given: unknown): Read["summary"] {
  const text = typeof given === "string" ? storedText(given, SUMMARY_BYTES) : null;
  if (text !== null && text.trim() !== "") return { text, problem: null };
  return { text: null, problem: `must be a text of at most ${SUMMARY_BYTES} bytes` };
}

function readField(field: OutcomeField, given: unknown, proving: ReadonlySet<number>): Given {
  if (given === undefined || given === null) return NO_VALUE;
  const pair = objectOf(given);
  const answered = member(pair, "value");
  if (answered === undefined) return misfit(WANTED);
  if (answered === null) return NO_VALUE;
  const value = fittingValue(field, answered);
  if (value === undefined) return misfit(`its value must be ${FORMS[field.type]}, or null`);
  if (value === null) return NO_VALUE;
  const messages = member(pair, "messages");
  if (!Array.isArray(messages)) return misfit(WANTED);
  return { value, messages: evidenceOf(messages, proving), problem: null };
}

function misfit(problem: string): Given {
  return { ...NO_VALUE, problem };
}

/** The first ones that were named; numbers of no message, of the assistant or of keys are none. */
function evidenceOf(given: readonly unknown[], proving: ReadonlySet<number>): readonly number[] {
  const found = new Set<number>();
  for (const each of given) {
    if (typeof each === "number" && proving.has(each)) found.add(each);
    if (found.size === MOST_EVIDENCE) break;
  }
  return [...found].sort((a, b) => a - b);
}

function provingIndexes({ messages }: Transcript): ReadonlySet<number> {
  return new Set(messages.filter(({ proves }) => proves).map(({ index }) => index));
}

/** undefined: it does not fit. null: a text that says nothing. */
function fittingValue({ type, values = [] }: OutcomeField, given: unknown): OutcomeValue | undefined {
  switch (type) {
    case "boolean":
      return typeof given === "boolean" ? given : undefined;
    case "number":
      return typeof given === "number" && Number.isFinite(given) ? withoutSign(given) : undefined;
    case "integer":
      return typeof given === "number" && Number.isSafeInteger(given) ? withoutSign(given) : undefined;
    case "string":
      return typeof given === "string" ? textOf(given) : undefined;
    case "enum":
      return typeof given === "string" && values.includes(given) ? given : undefined;
    case "date":
      return typeof given === "string" && isDate(given) ? given : undefined;
    case "datetime":
      return typeof given === "string" ? momentOf(given) : undefined;
  }
}

/** JSON keeps no -0, so what is decided is what is read again. */
function withoutSign(number: number): number {
  return number === 0 ? 0 : number;
}

function textOf(given: string): string | null | undefined {
  const text = storedText(given, TEXT_BYTES);
  if (text === null) return undefined;
  return text.trim() === "" ? null : text;
}

/** null: it is too long. */
function storedText(given: string, bytes: number): string | null {
  if (given.length > bytes) return null;
  const text = storableText(given);
  return fitsUtf8(text, bytes) ? text : null;
}

/** A day of the calendar: `Date` alone takes the 30th of February for the 2nd of March. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const millis = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(millis) && instantFromMillis(millis).startsWith(text);
}

/** Years of four digits only: others do not sort as text. */
function momentOf(text: string): string | undefined {
  if (text.length > 40 || !isDate(text.slice(0, 10))) return undefined;
  const instant = parseInstant(text);
  return instant !== null && /^\d{4}-/.test(instant) ? instant : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): Members | null {
  return isMembers(value) ? value : null;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Of its own only: what every object has was not answered. */
function member(object: Members | null, name: string): unknown {
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}
