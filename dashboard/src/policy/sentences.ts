import type { DataOf, RouteAt } from "../../../contract/asking.ts";
import { clockOf, EVERY_DAY, type HoursDraft, PROPOSED } from "../calling/calling-draft.ts";
import type { PolicyKey } from "./en.ts";

export type PolicyRecord = NonNullable<DataOf<RouteAt<"GET", "/api/v1/policy">>["policy"]>;

/** In the order in which a policy is told. */
export const RULES = [
  "callableHours",
  "attemptsPerNumber",
  "oneCallAtATime",
  "requireConsent",
  "listMaxAgeDays",
  "eligibility",
  "exceptSingleCalls",
] as const satisfies readonly (keyof PolicyRecord)[];
export type Rule = (typeof RULES)[number];

/** What a rule says; `address`: the one that it asks. */
export type Sentence = { readonly text: string; readonly address: string | null };
export type Sentences = ReadonlyMap<Rule, Sentence>;

/** How sentences are made in a language. */
export type Speech = {
  readonly say: (key: PolicyKey, values?: Readonly<Record<string, string | number>>) => string;
  readonly hours: (hours: HoursDraft) => string;
  readonly list: (items: readonly string[]) => string;
  readonly seconds: (value: number) => string;
};

const PERIODS = ["day", "week", "month"] as const;
const MILLIS = 1_000;

/** A sentence for each rule that is on. null: there is no policy. */
export function sentencesOf(policy: PolicyRecord | null, speech: Speech): Sentences {
  if (policy === null) return new Map();
  const said = new Map<Rule, Sentence>();
  for (const rule of RULES) {
    const text = SAID[rule](policy, speech);
    if (text !== null) said.set(rule, { text, address: addressOf(rule, policy) });
  }
  return said;
}

const SAID: Readonly<Record<Rule, (policy: PolicyRecord, speech: Speech) => string | null>> = {
  callableHours: ({ callableHours }, { say, hours }) =>
    callableHours === null ? null : say("callableHours", { hours: hours(hoursDraftOf(callableHours)) }),
  attemptsPerNumber: ({ attemptsPerNumber: limits }, { say, list }) => {
    if (limits === null) return null;
    const said = PERIODS.flatMap((period) => {
      const count = limits[period];
      return count === undefined ? [] : [say(`attempts.${period}`, { count })];
    });
    return say("attemptsPerNumber", { limits: list(said) });
  },
  oneCallAtATime: (policy, { say }) => (policy.oneCallAtATime ? say("oneCallAtATime") : null),
  requireConsent: (policy, { say }) => (policy.requireConsent ? say("requireConsent") : null),
  listMaxAgeDays: ({ listMaxAgeDays: days }, { say }) =>
    days === null ? null : say("listMaxAgeDays", { days }),
  eligibility: ({ eligibility }, { say, seconds }) =>
    eligibility === null ? null : say("eligibility", { seconds: seconds(eligibility.timeoutMs / MILLIS) }),
  exceptSingleCalls: (policy, { say }) => (policy.exceptSingleCalls ? say("exceptSingleCalls") : null),
};

const addressOf = (rule: Rule, { eligibility }: PolicyRecord): string | null =>
  rule === "eligibility" ? (eligibility?.url ?? null) : null;

/** The hours as they fill the controls; null: what is proposed. */
export function hoursDraftOf(hours: PolicyRecord["callableHours"]): HoursDraft {
  if (hours === null) return PROPOSED;
  const { start, startMinute = 0, end, endMinute = 0 } = hours;
  const isAnyHour = start + startMinute + end + endMinute === 0;
  return {
    isAnyHour,
    callWindowStart: isAnyHour ? PROPOSED.callWindowStart : clockOf(start, startMinute),
    callWindowEnd: isAnyHour ? PROPOSED.callWindowEnd : clockOf(end, endMinute),
    callWindowDays: hours.days ?? EVERY_DAY,
    callWindowExcludedDates: (hours.excludedDates ?? []).join(", "),
  };
}

export type Change = {
  readonly rule: Rule;
  /** null: the rule was off. */
  readonly before: Sentence | null;
  /** null: it is off now. */
  readonly now: Sentence | null;
};

/** Rules that say something else now. */
export function changesBetween(before: Sentences, now: Sentences): readonly Change[] {
  return RULES.map((rule) => ({ rule, before: before.get(rule) ?? null, now: now.get(rule) ?? null })).filter(
    (change) => wordsOf(change.before) !== wordsOf(change.now),
  );
}

const wordsOf = (sentence: Sentence | null): string =>
  sentence === null ? "" : `${sentence.text} ${sentence.address}`;
