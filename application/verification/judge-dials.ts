import { countriesOf } from "../../domain/policy/number-countries.ts";
import type { PolicyRule } from "../../domain/policy/policy.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { ZONES_OF_COUNTRIES } from "../../domain/shared/zones-of-countries.ts";
import { createLocalTimes } from "../audit/local-time.ts";
import { DIAL, type DialBook, LONGEST_WRITING_MILLIS, phoneNumberOf } from "./dial-book.ts";
import type { Judged, OwnerStandings, Registries } from "./standing.ts";
import { hoursText, localText, type ZoneClock, zoneClock } from "./zone-clock.ts";

/** Rules that a log can be held against, and the bit of each. */
export const VERIFIED_RULES = [
  "consent",
  "oneCallAtATime",
  "attemptsPerNumber",
  "callableHours",
  "zone_unknown",
  "listAge",
  "eligibility",
] as const satisfies readonly PolicyRule[];
export type VerifiedRule = (typeof VERIFIED_RULES)[number];

export type Why = "no_evidence" | "zone_not_told" | "zone_data";

/** `unsure`: the log does not tell; ok: null. */
export type Judgement =
  | { readonly broken: true; readonly value: string | number | null; readonly limit: string | number | null }
  | { readonly broken: false; readonly why: Why };

/** A dial among those of its number: rows in order of time, `first` to `rank` are earlier ones. */
export type DialInGroup = {
  readonly row: number;
  readonly rank: number;
  readonly first: number;
  /** Row of an earlier dial of the number that was still in a call; null: there is none. */
  readonly liveRow: number | null;
};

/** For so long after a change, by clocks that differ, what stood before may still have been read. */
const GRACE_MILLIS = 5_000;
const DAY_MILLIS = 86_400_000;
/** How old an answer of the owner's address may be. */
const LONGEST_ANSWER_MILLIS = 60_000;

export type JudgeDeps = {
  readonly book: DialBook;
  readonly standings: OwnerStandings;
  /** Rows of dials by number, then by time. */
  readonly order: Uint32Array;
};

/** A zone of its own, the zones of a number: null, nobody knows them. */
type Reading = readonly ZoneClock[] | "unknown_to_us" | null;

/** Judges one dial by one policy. Memory: a clock for each zone, and lists of zones by country. */
export function createJudge({ book, standings, order }: JudgeDeps) {
  const clocks = createClocks();
  const { columns } = book;

  /** When it may have been judged: once, or without evidence at some moment within a minute. */
  const momentsOf = (row: number): readonly number[] => {
    const judged = columns.judged.get(row);
    return book.has(row, DIAL.judged) ? [judged] : [judged, judged + LONGEST_WRITING_MILLIS];
  };

  const consent = (row: number): Judgement | null => {
    if (!book.has(row, DIAL.consentTold)) return { broken: false, why: "no_evidence" };
    const at = columns.consentAt.get(row);
    const until = columns.consentUntil.get(row);
    const isGiven = (millis: number) => at <= millis && millis < until;
    if (momentsOf(row).some(isGiven)) return null;
    const text = (millis: number) => (Number.isFinite(millis) ? instantFromMillis(millis) : null);
    return { broken: true, value: text(at), limit: text(until) };
  };

  const eligibility = (row: number, { version, policy }: Judged): Judgement | null => {
    const asked = columns.askedAt.get(row);
    const limit = policy.eligibility?.url ?? null;
    if (Number.isNaN(asked)) {
      const own = standings.versionOf(book.owner(row), columns.policyVersion.get(row));
      const wasAsked = version > 0 && own?.policy.eligibility !== undefined;
      return wasAsked ? { broken: true, value: null, limit } : { broken: false, why: "no_evidence" };
    }
    const age = columns.judged.get(row) - asked;
    const isFresh = age <= LONGEST_ANSWER_MILLIS + GRACE_MILLIS && age >= -GRACE_MILLIS;
    return isFresh ? null : { broken: true, value: instantFromMillis(asked), limit };
  };

  const listAge = (row: number, days: number): Judgement | null => {
    const owner = book.owner(row);
    const moments = momentsOf(row);
    const [from = 0] = moments;
    const until = moments.at(-1) ?? from;
    const isYoung = ({ count, oldest }: Registries) =>
      count > 0 && oldest >= from - GRACE_MILLIS - days * DAY_MILLIS;
    const stood = standings.registriesIn(owner, from - GRACE_MILLIS, until + GRACE_MILLIS);
    if (stood.some(isYoung)) return null;
    const oldest = stood.at(-1)?.oldest ?? Number.NaN;
    return { broken: true, value: Number.isFinite(oldest) ? instantFromMillis(oldest) : null, limit: days };
  };

  /** What the person's zones may be; more than one: the log does not tell which. */
  const readingsOf = (row: number): readonly Reading[] => {
    const own = book.ownZone(row);
    const ofOwn = own === null ? [] : [clocks.own(own)];
    if (book.has(row, DIAL.zoneTold) && own !== null) return ofOwn;
    const ofNumber = clocks.ofNumber(columns.number.get(row));
    return [...ofOwn, ofNumber];
  };

  const hours = (row: number, { hours: open }: Judged, zones: readonly ZoneClock[]): Judgement | null => {
    if (open === null) return null;
    const closed = momentsOf(row).map((millis) => ({
      millis,
      clock: zones.find(({ offset }) => !open.isOpen(millis + offset(millis))),
    }));
    const [first] = closed;
    const told = isSameData(row, zones) ? null : book.offsets(row);
    if (told !== null) {
      const millis = columns.judged.get(row);
      const wasOpen = told.every((offset) => open.isOpen(millis + offset));
      if (wasOpen !== (first?.clock === undefined)) return { broken: false, why: "zone_data" };
    }
    if (first?.clock === undefined || closed.some(({ clock }) => clock === undefined)) return null;
    const value = localText(first.millis, first.clock.offset(first.millis));
    return { broken: true, value, limit: hoursText(open.window) };
  };

  /** Whether the zones of its evidence are those of here. */
  const isSameData = (row: number, zones: readonly ZoneClock[]): boolean => {
    if (book.has(row, DIAL.sameData)) return true;
    const millis = columns.judged.get(row);
    const ours = zones.map(({ offset }) => offset(millis));
    return book.offsets(row)?.join() === [Math.min(...ours), Math.max(...ours)].join();
  };

  const caps = (
    dial: DialInGroup,
    { caps: limits }: Judged,
    zones: readonly ZoneClock[],
  ): Judgement | null => {
    const moments = momentsOf(dial.row);
    for (const [period, most] of limits) {
      if (dial.rank - dial.first < most) continue;
      const counts = moments.map((millis) => {
        const begin = Math.min(...zones.map(({ beginOf }) => beginOf(period, millis)));
        return dialsFrom(dial, begin);
      });
      if (counts.some((count) => count < most)) continue;
      if (!isSameData(dial.row, zones)) return { broken: false, why: "zone_data" };
      return { broken: true, value: counts[0] ?? most, limit: `${most}/${period}` };
    }
    return null;
  };

  /** Dials of the number before this one, from a time on: those that may have come after it do not count. */
  const dialsFrom = ({ row, rank, first }: DialInGroup, begin: number): number => {
    let [low, high] = [first, rank];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (columns.judged.get(order[middle] ?? 0) < begin) low = middle + 1;
      else high = middle;
    }
    let count = rank - low;
    const since = columns.judged.get(row) - LONGEST_WRITING_MILLIS;
    for (let index = rank - 1; index >= low; index -= 1) {
      const other = order[index] ?? 0;
      if (columns.judged.get(other) < since) break;
      const mayBeLater = !book.has(other, DIAL.judged) || !book.has(row, DIAL.judged);
      if (mayBeLater && columns.place.get(other) > columns.place.get(row)) count -= 1;
    }
    return count;
  };

  const zoned = (
    dial: DialInGroup,
    judged: Judged,
  ): readonly (readonly [VerifiedRule, Judgement | null])[] => {
    const byReading = readingsOf(dial.row).map((zones): ReturnType<typeof zoned> => {
      if (zones === "unknown_to_us") return [["zone_unknown", { broken: false, why: "zone_data" }]];
      if (zones === null) return [["zone_unknown", unknownZone(dial.row)]];
      return [
        ["attemptsPerNumber", caps(dial, judged, zones)],
        ["callableHours", hours(dial.row, judged, zones)],
      ];
    });
    const [only] = byReading;
    if (only !== undefined && byReading.length === 1) return only;
    return (["attemptsPerNumber", "callableHours", "zone_unknown"] as const).map((rule) => [
      rule,
      together(byReading.map((found) => found.find(([name]) => name === rule)?.[1] ?? null)),
    ]);
  };

  const unknownZone = (row: number): Judgement => {
    if (!book.has(row, DIAL.sameData)) return { broken: false, why: "zone_data" };
    const { country } = countriesOf(phoneNumberOf(columns.number.get(row)));
    return { broken: true, value: country, limit: null };
  };

  /** What the dial breaks of a policy, rule by rule. */
  return (dial: DialInGroup, judged: Judged): ReadonlyMap<VerifiedRule, Judgement> => {
    const { policy } = judged;
    const { row, liveRow } = dial;
    const found = new Map<VerifiedRule, Judgement>();
    const note = (rule: VerifiedRule, judgement: Judgement | null) => {
      if (judgement !== null) found.set(rule, judgement);
    };
    if (policy.oneCallAtATime && liveRow !== null)
      note("oneCallAtATime", { broken: true, value: book.callId(liveRow), limit: 1 });
    if (policy.listMaxAgeDays !== undefined) note("listAge", listAge(row, policy.listMaxAgeDays));
    if (policy.exceptSingleCalls && columns.campaign.get(row) === 0) return found;
    if (policy.requireConsent === true) note("consent", consent(row));
    if (policy.eligibility !== undefined) note("eligibility", eligibility(row, judged));
    if (judged.hours !== null || judged.caps.length > 0)
      for (const [rule, judgement] of zoned(dial, judged)) note(rule, judgement);
    return found;
  };
}

/** What several readings say together: only what all of them break is broken. */
function together(found: readonly (Judgement | null)[]): Judgement | null {
  const [first = null] = found;
  if (found.every((each) => each === null)) return null;
  if (found.every((each) => each?.broken === true)) return first;
  return { broken: false, why: "zone_not_told" };
}

function createClocks() {
  const times = createLocalTimes();
  const known = new Map<string, ZoneClock | null>();
  const clockOf = (zone: string): ZoneClock | null => {
    const clock = known.get(zone);
    if (clock !== undefined) return clock;
    const made = zoneClock(zone, times);
    known.set(zone, made);
    return made;
  };
  const own = new Map<string, Reading>();
  const byCountries = new Map<string, Reading>();
  let latest: { number: number; reading: Reading } | null = null;
  const readingOf = (possible: readonly string[]): Reading => {
    const zones = new Set(
      possible.flatMap((each) => (ZONES_OF_COUNTRIES[each] ?? "").split(" ")).filter(Boolean),
    );
    const found = [...zones].flatMap((zone) => clockOf(zone) ?? []);
    return found.length === 0 ? null : found;
  };
  return {
    own: (zone: string): Reading => {
      const clock = clockOf(zone);
      const reading = own.get(zone) ?? (clock === null ? "unknown_to_us" : [clock]);
      own.set(zone, reading);
      return reading;
    },
    /** Of the number asked for last it is known: a number's dials come together. */
    ofNumber: (number: number): Reading => {
      if (latest?.number === number) return latest.reading;
      const { possible } = countriesOf(phoneNumberOf(number));
      const key = possible.join();
      const reading = byCountries.get(key) ?? readingOf(possible);
      byCountries.set(key, reading);
      latest = { number, reading };
      return reading;
    },
  };
}
