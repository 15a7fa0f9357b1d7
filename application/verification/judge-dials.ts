import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { VerifiedRule } from "../ports/verifications.ts";
import { DIAL } from "./dial-book.ts";
import { createPeopleZones } from "./people-zones.ts";
import type { Judged, Registries } from "./standing.ts";
import { type DialInGroup, type Judgement, type Judging, momentsOf, zonedRules } from "./zoned-rules.ts";

/** For so long after a change, by clocks that differ, what stood before may still have been read. */
export const GRACE_MILLIS = 5_000;
const DAY_MILLIS = 86_400_000;
/** How old an answer of the owner's address may be. */
const LONGEST_ANSWER_MILLIS = 60_000;

/** What a dial breaks of a policy, rule by rule. */
export type Judge = (dial: DialInGroup, judged: Judged) => ReadonlyMap<VerifiedRule, Judgement>;

/** Judges dials one by one. Memory: a clock for each zone, and lists of zones by country. */
export function createJudge(facts: Omit<Judging, "zones">): Judge {
  const judging: Judging = { ...facts, zones: createPeopleZones() };
  const { book } = judging;
  return (dial, judged) => {
    const { policy } = judged;
    const { row, liveRow } = dial;
    const found = new Map<VerifiedRule, Judgement>();
    const note = (rule: VerifiedRule, judgement: Judgement | null) => {
      if (judgement !== null) found.set(rule, judgement);
    };
    if (policy.oneCallAtATime && liveRow !== null)
      note("oneCallAtATime", { broken: true, value: book.callId(liveRow), limit: 1 });
    if (policy.listMaxAgeDays !== undefined) note("listAge", listAge(judging, row, policy.listMaxAgeDays));
    if (policy.exceptSingleCalls && book.campaignId(row) === null) return found;
    if (policy.requireConsent === true) note("consent", consent(judging, row));
    if (policy.eligibility !== undefined) note("eligibility", eligibility(judging, row, judged));
    if (judged.hours !== null || judged.caps.length > 0)
      for (const [rule, judgement] of zonedRules(judging, dial, judged)) note(rule, judgement);
    return found;
  };
}

function consent({ book }: Judging, row: number): Judgement | null {
  if (!book.has(row, DIAL.consentTold)) return { broken: false, why: "no_evidence" };
  const at = book.columns.consentAt.get(row);
  const until = book.columns.consentUntil.get(row);
  if (momentsOf(book, row).some((millis) => at <= millis && millis < until)) return null;
  return { broken: true, value: timeText(at), limit: timeText(until) };
}

function timeText(millis: number): string | null {
  return Number.isFinite(millis) ? instantFromMillis(millis) : null;
}

/** Who was not asked about is known only of dials that were judged by a version that asks. */
function eligibility(
  { book, standings }: Judging,
  row: number,
  { version, policy }: Judged,
): Judgement | null {
  const { columns } = book;
  const asked = columns.askedAt.get(row);
  const limit = policy.eligibility?.url ?? null;
  if (Number.isNaN(asked)) {
    const own = standings.versionOf(book.owner(row), columns.policyVersion.get(row));
    const wasToBeAsked = version > 0 && own?.policy.eligibility !== undefined;
    return wasToBeAsked ? { broken: true, value: null, limit } : { broken: false, why: "no_evidence" };
  }
  const age = columns.judged.get(row) - asked;
  const isFresh = age <= LONGEST_ANSWER_MILLIS + GRACE_MILLIS && age >= -GRACE_MILLIS;
  return isFresh ? null : { broken: true, value: instantFromMillis(asked), limit };
}

function listAge({ book, standings }: Judging, row: number, days: number): Judgement | null {
  const moments = momentsOf(book, row);
  const from = (moments[0] ?? 0) - GRACE_MILLIS;
  const until = (moments.at(-1) ?? 0) + GRACE_MILLIS;
  const isYoung = ({ count, oldest }: Registries) => count > 0 && oldest >= from - days * DAY_MILLIS;
  const stood = standings.registriesIn(book.owner(row), from, until);
  if (stood.some(isYoung)) return null;
  return { broken: true, value: timeText(stood.at(-1)?.oldest ?? Number.NaN), limit: days };
}
