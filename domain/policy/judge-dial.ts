import type { CallWindow } from "../shared/call-window.ts";
import type { CallId } from "../shared/ids.ts";
import { earliest, type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { ZONE_DATA } from "../shared/zones-of-countries.ts";
import { localTime } from "../window/call-window.ts";
import { hoursInShort } from "../window/window-words.ts";
import { offsetMillis } from "../window/zone-offset.ts";
import { hoursCloseAt, hoursDecidedIn, hoursNextOpening, zonesConcerned } from "./callable-hours.ts";
import { isInForce } from "./consent.ts";
import { differentRules } from "./equal-rules.ts";
import { areYoungEnough, listsCountUntil, type RegistryLists } from "./list-age.ts";
import { countriesOf } from "./number-countries.ts";
import { nextPeriodBegins, PERIODS, type Period, periodBegan } from "./periods.ts";
import type {
  AttemptsPerNumber,
  ConsentTimes,
  Policy,
  PolicyCheck,
  PolicyEvidence,
  PolicyInForce,
  PolicyRefusal,
  ZoneEvidence,
} from "./policy.ts";

/** What a dial is judged by, all of it as it is at `at`. */
export type DialFacts = {
  readonly inForce: PolicyInForce;
  readonly phoneNumber: PhoneNumber;
  /** The person's own zone; null: that of the number's country counts. */
  readonly timezone: string | null;
  readonly isSingle: boolean;
  /** null: the person has given none. */
  readonly consent: ConsentTimes | null;
  readonly lists: RegistryLists;
  readonly at: Instant;
  /** When the number was dialled, in milliseconds, latest first, the latest `dialsNeeded` at least. */
  readonly dials: readonly number[];
  /** The call in which the number is; `unnamed`: a grant that has no event yet. */
  readonly liveCall: CallId | "unnamed" | null;
  /** Version of this machine's rules of zones (`process.versions.tz`). */
  readonly tzdata: string;
};

export type DialJudgement = {
  /** In the order of the rules; empty: the dial is allowed. */
  readonly refusals: readonly PolicyRefusal[];
  readonly evidence: PolicyEvidence;
  /**
   * When it is allowed no more by time alone: the hours close in the first zone concerned, the consent
   * expires, or the oldest list is too old; null: never.
   */
  readonly closesAt: Instant | null;
};

/** How many of a number's latest dials must be known to judge the next one. */
export function dialsNeeded({ attemptsPerNumber }: Policy): number {
  return Math.max(0, ...Object.values(attemptsPerNumber ?? {}));
}

type Judged = { readonly check: PolicyCheck; readonly refusal: PolicyRefusal | null };

/** Rules that ask where the person is. */
type LocallyJudged = {
  readonly judged: readonly Judged[];
  readonly zones: ZoneEvidence | null;
  readonly closesAt: Instant | null;
};
const NOWHERE: LocallyJudged = { judged: [], zones: null, closesAt: null };

/** Whether the policy allows a dial, with all that refuses it, and the proof. */
export function judgeDial(facts: DialFacts): DialJudgement {
  const { inForce, isSingle, consent, lists, at } = facts;
  const { oneCallAtATime, exceptSingleCalls, requireConsent = false, listMaxAgeDays } = inForce.policy;
  const isExcepted = isSingle && exceptSingleCalls;
  const asksConsent = requireConsent && !isExcepted;
  const locally = isExcepted ? NOWHERE : judgeLocally(facts);
  const judged = [
    ...(asksConsent ? [judgeConsent(facts)] : []),
    ...(oneCallAtATime ? [judgeOneCall(facts)] : []),
    ...locally.judged,
    ...(listMaxAgeDays === undefined ? [] : [judgeLists(facts, listMaxAgeDays)]),
  ];
  return {
    refusals: judged.flatMap(({ refusal }) => (refusal === null ? [] : [refusal])),
    evidence: {
      policyVersion: inForce.version,
      judgedAt: at,
      checks: judged.map(({ check }) => check),
      zones: locally.zones,
    },
    closesAt: earliest([
      locally.closesAt,
      asksConsent ? (consent?.expiresAt ?? null) : null,
      listMaxAgeDays === undefined ? null : listsCountUntil(lists, listMaxAgeDays),
    ]),
  };
}

function judgeLocally(facts: DialFacts): LocallyJudged {
  const { inForce, phoneNumber, timezone, at } = facts;
  const { attemptsPerNumber: attempts, callableHours: hours } = inForce.policy;
  if (attempts === null && hours === null) return NOWHERE;
  const zones = zonesConcerned(phoneNumber, timezone);
  if (zones === "zone_unknown") return { ...NOWHERE, judged: [unknown(phoneNumber)] };
  const different = differentRules(zones, millisOf(at));
  return {
    judged: [
      ...(attempts === null ? [] : [judgeAttempts(different, attempts, facts)]),
      ...(hours === null ? [] : [judgeHours(zones, different.length, hours, facts)]),
    ],
    zones: zoneEvidence(different, facts),
    closesAt: hours === null ? null : hoursCloseAt(zones, hours, at),
  };
}

/** value: since when there is one; limit: from when on it counts as none. */
function judgeConsent({ consent, at }: DialFacts): Judged {
  const check = { rule: "consent", value: consent?.at ?? null, limit: consent?.expiresAt ?? null } as const;
  const isAllowed = isInForce(consent, millisOf(at));
  return { check, refusal: isAllowed ? null : { ...check, until: null, heldBy: null } };
}

/** value: the day of the oldest registry list; limit: how many days old it may be. */
function judgeLists({ lists, at }: DialFacts, limit: number): Judged {
  const check = { rule: "listAge", value: lists.oldestAsOf, limit } as const;
  const isAllowed = areYoungEnough(lists, limit, at);
  return { check, refusal: isAllowed ? null : { ...check, until: null, heldBy: null } };
}

/** value: live calls of the number. */
function judgeOneCall({ liveCall }: DialFacts): Judged {
  const check = { rule: "oneCallAtATime", value: liveCall === null ? 0 : 1, limit: 1 } as const;
  const heldBy = liveCall === "unnamed" ? null : liveCall;
  return { check, refusal: liveCall === null ? null : { ...check, until: null, heldBy } };
}

/** value: the country or the number whose zone nobody knows. */
function unknown(phoneNumber: PhoneNumber): Judged {
  const value = countriesOf(phoneNumber).country;
  const check = { rule: "zone_unknown", value, limit: null } as const;
  return { check, refusal: { ...check, until: null, heldBy: null } };
}

/** One cap, in all zones. */
type Cap = { readonly period: Period; readonly limit: number; readonly value: number };

/** value: dials of the period that decides, limit: `3/week`. */
function judgeAttempts(
  zones: readonly string[],
  attempts: AttemptsPerNumber,
  { at, dials }: DialFacts,
): Judged {
  const millis = millisOf(at);
  const caps = PERIODS.flatMap((period): Cap[] => {
    const limit = attempts[period];
    if (limit === undefined) return [];
    const began = Math.min(...zones.map((zone) => periodBegan(zone, period, millis)));
    return [{ period, limit, value: dials.filter((dial) => dial >= began).length }];
  });
  const full = caps.filter(({ value, limit }) => value >= limit);
  const until = full.length === 0 ? null : allowedAgain(zones, caps, dials, millis);
  const shown = fullest(full.length === 0 ? caps : full);
  const check = {
    rule: "attemptsPerNumber",
    value: shown.value,
    limit: `${shown.limit}/${shown.period}`,
  } as const;
  return {
    check,
    refusal: until === null ? null : { ...check, until: instantFromMillis(until), heldBy: null },
  };
}

/** With the least room; of several the longest, which holds for longer. */
function fullest(caps: readonly Cap[]): Cap {
  const room = ({ limit, value }: Cap) => limit - value;
  return caps.reduce((most, cap) => (room(cap) <= room(most) ? cap : most));
}

/**
 * The first moment after `from` at which no cap is full in any zone: one that is full stays so until its
 * next period begins.
 */
function allowedAgain(
  zones: readonly string[],
  caps: readonly Cap[],
  dials: readonly number[],
  from: number,
): number {
  let at = from;
  for (;;) {
    const ends = caps.flatMap(({ period, limit }) => {
      const decisive = dials[limit - 1] ?? Number.NEGATIVE_INFINITY;
      return zones
        .filter((zone) => decisive >= periodBegan(zone, period, at))
        .map((zone) => nextPeriodBegins(zone, period, at));
    });
    if (ends.length === 0) return at;
    at = Math.max(...ends);
  }
}

/** value: the local time where the hours open last, or close first; limit: `09:00–20:00 on Mon, Tue`. */
function judgeHours(
  zones: readonly string[],
  count: number,
  hours: CallWindow,
  { at, phoneNumber }: DialFacts,
): Judged {
  const opensAt = hoursNextOpening(zones, hours, at);
  if (opensAt === null && count > 1) return unknown(phoneNumber);
  const local = localTime(hoursDecidedIn(zones, hours, at) ?? "", at).localTime;
  const { excludedDates, ...rest } = hours;
  const date = excludedDates?.find((excluded) => local.startsWith(excluded));
  const check = {
    rule: "callableHours",
    value: local,
    limit: hoursInShort(date === undefined ? rest : { ...rest, excludedDates: [date] }),
  } as const;
  return { check, refusal: opensAt === at ? null : { ...check, until: opensAt, heldBy: null } };
}

function zoneEvidence(zones: readonly string[], facts: DialFacts): ZoneEvidence {
  const { phoneNumber, timezone, at, tzdata } = facts;
  const offsets = zones.map((zone) => offsetMillis(zone, millisOf(at)));
  const localAt = (offset: number) => localTime(zones[offsets.indexOf(offset)] ?? "", at).localTime;
  return {
    country: timezone === null ? countriesOf(phoneNumber).country : null,
    count: zones.length,
    data: `${ZONE_DATA}/${tzdata}`,
    local: [localAt(Math.min(...offsets)), localAt(Math.max(...offsets))],
  };
}
