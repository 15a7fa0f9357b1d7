import { foldedWords } from "../conversation/intents/spoken-intents.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";
import { firstSaid } from "./first-said.ts";
import { areEqual, isPartOf } from "./part-of.ts";
import type { Expectation } from "./rehearsal.ts";
import type { Failure, RunFacts, RunMessage } from "./run-result.ts";

/** What was there instead; null: the expectation holds. */
type Instead = Omit<Failure, "expect"> | null;

/** The expectations that do not hold, in their order; empty: the run has passed. */
export function judgeRun(expect: readonly Expectation[], facts: RunFacts): readonly Failure[] {
  const said = facts.messages.filter(({ role }) => role === "assistant").map(saidOf);
  const forbidden = forbiddenIn(expect, said);
  return expect.flatMap((each) => {
    const instead = insteadOf(each, facts, said, forbidden);
    return instead === null ? [] : [{ expect: each, ...instead }];
  });
}

/** Whether a text has words that can be looked for: a letter or a digit. */
export function hasWords(text: string): boolean {
  return foldedWords(text).trim() !== "";
}

function insteadOf(
  expect: Expectation,
  facts: RunFacts,
  said: readonly Said[],
  forbidden: Forbidden,
): Instead {
  if ("outcome" in expect) return judgeOutcome(expect.outcome, facts);
  if ("success" in expect) return equal(expect.success, facts.outcome?.success ?? null);
  if ("says" in expect) return judgeSaid(expect.says, said);
  if ("neverSays" in expect) return judgeNeverSaid(expect.neverSays, said, forbidden);
  if ("tool" in expect) return judgeTool(expect.tool, expect.arguments ?? {}, facts);
  if ("noTool" in expect) return judgeNoTool(expect.noTool, facts);
  if ("handsOffTo" in expect) return judgeHandoff(expect.handsOffTo, facts);
  if ("endReason" in expect) return equal(expect.endReason, facts.endReason);
  if ("optedOut" in expect) return equal(expect.optedOut, facts.optedOut);
  if ("callback" in expect) return equal(expect.callback, facts.callback);
  return facts.turns <= expect.turnsAtMost ? null : { got: facts.turns, messageIndex: null };
}

function equal(wanted: JsonValue, got: JsonValue): Instead {
  return wanted === got ? null : { got, messageIndex: null };
}

/** Names the fields that differ; null: nothing was analysed. */
function judgeOutcome(wanted: JsonObject, { outcome }: RunFacts): Instead {
  if (outcome === null) return { got: null, messageIndex: null };
  const found = (name: string) => (Object.hasOwn(outcome.fields, name) ? outcome.fields[name] : null) ?? null;
  const wrong = Object.keys(wanted).filter((name) => !areEqual(wanted[name] ?? null, found(name)));
  if (wrong.length === 0) return null;
  return { got: Object.fromEntries(wrong.map((name) => [name, found(name)])), messageIndex: null };
}

/** A message of the assistant, folded once for all expectations. */
type Said = {
  readonly index: number;
  readonly isFiller: boolean;
  readonly heard: string;
  /** Also what was cut. */
  readonly whole: string;
};

function saidOf({ index, kind, content, intended }: RunMessage): Said {
  const heard = foldedWords(content ?? "");
  return {
    index,
    isFiller: kind === "filler",
    heard,
    whole: intended === null ? heard : foldedWords(intended),
  };
}

function judgeSaid(words: string, said: readonly Said[]): Instead {
  const sought = foldedWords(words);
  const all = said.filter(({ isFiller }) => !isFiller);
  if (all.some(({ heard }) => heard.includes(sought))) return null;
  const cut = all.find(({ whole }) => whole.includes(sought));
  if (cut === undefined) return { got: "The assistant did not say it", messageIndex: null };
  return { got: "The customer spoke before it was heard", messageIndex: cut.index };
}

/** Words that must never be said, each with the place in what was said where it is first. */
type Forbidden = ReadonlyMap<string, number>;
const NOWHERE = Number.POSITIVE_INFINITY;

/** In what was said, heard or not. All expectations may have thousands of words: they are sought together. */
function forbiddenIn(expect: readonly Expectation[], said: readonly Said[]): Forbidden {
  const never = expect.flatMap((each) => ("neverSays" in each ? each.neverSays : []));
  const folded = new Map(never.map((words) => [words, foldedWords(words)]));
  const first = firstSaid(
    folded.values(),
    said.map(({ whole }) => whole),
  );
  return new Map([...folded].map(([words, sought]) => [words, first.get(sought) ?? NOWHERE]));
}

/** The first message with any of these; of several in it the first of these. */
function judgeNeverSaid(never: readonly string[], said: readonly Said[], forbidden: Forbidden): Instead {
  const placeOf = (words: string) => forbidden.get(words) ?? NOWHERE;
  const first = Math.min(...never.map(placeOf));
  const [message, got] = [said[first], never.find((words) => placeOf(words) === first)];
  return message === undefined || got === undefined ? null : { got, messageIndex: message.index };
}

const usesOf = (name: string, { tools }: RunFacts) => tools.filter(({ names }) => names.includes(name));

function judgeTool(name: string, wanted: JsonObject, facts: RunFacts): Instead {
  const uses = usesOf(name, facts);
  if (uses.some((use) => isPartOf(wanted, use.arguments))) return null;
  const last = uses.at(-1);
  if (last === undefined) return { got: "It was not used", messageIndex: null };
  return { got: last.arguments, messageIndex: last.messageIndex };
}

function judgeNoTool(name: string, facts: RunFacts): Instead {
  const [use] = usesOf(name, facts);
  return use === undefined ? null : { got: use.arguments, messageIndex: use.messageIndex };
}

function judgeHandoff(name: string, { handoffs }: RunFacts): Instead {
  if (handoffs.some(({ names }) => names.includes(name))) return null;
  const last = handoffs.at(-1);
  if (last === undefined) return { got: "Nobody took over", messageIndex: null };
  return { got: last.names, messageIndex: last.messageIndex };
}
