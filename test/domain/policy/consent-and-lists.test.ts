import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialFacts, judgeDial } from "../../../domain/policy/judge-dial.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** A Friday, 13:00 in Istanbul. */
const NOW = Date.parse("2026-11-27T10:00:00.000Z");
const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

function facts(policy: Partial<Policy>, changes: Partial<DialFacts> = {}): DialFacts {
  return {
    inForce: { version: 7, policy: { ...OFF, ...policy } },
    phoneNumber: "+905321112233",
    timezone: null,
    isSingle: false,
    consent: null,
    lists: NO_LISTS,
    at: instantFromMillis(NOW),
    dials: [],
    liveCall: null,
    tzdata: "2026c",
    ...changes,
  };
}
const rulesOf = (given: DialFacts) => judgeDial(given).refusals.map(({ rule }) => rule);

/** Milliseconds from an edge: on it, just beside it, and further away. */
const beside = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -40 * DAY, max: 40 * DAY }));

type Given = {
  readonly days: number | null;
  readonly asksConsent: boolean;
  readonly isExcepted: boolean;
  readonly expires: number | "never" | "no consent";
  /** How long before or after each list becomes too old; null: it has no numbers yet. */
  readonly lists: readonly (number | null)[];
};
const cases: fc.Arbitrary<Given> = fc.record({
  days: fc.option(fc.integer({ min: 1, max: 365 }), { freq: 4 }),
  asksConsent: fc.boolean(),
  isExcepted: fc.boolean(),
  expires: fc.oneof(beside, fc.constantFrom("never" as const, "no consent" as const)),
  lists: fc.array(fc.option(beside, { freq: 9 }), { maxLength: 3 }),
});

/** Lists that become too old so many milliseconds after `NOW`. */
function given({ days, asksConsent, isExcepted, expires, lists }: Given): DialFacts {
  const loaded = lists.map((left) => (left === null ? null : NOW + left - (days ?? 30) * DAY));
  const oldest = loaded.reduce(
    (first, day) => (first === null || day === null ? null : Math.min(first, day)),
    loaded[0] ?? null,
  );
  const policy: Partial<Policy> = {
    callableHours: { start: 9, end: 20 },
    exceptSingleCalls: isExcepted,
    ...(asksConsent ? { requireConsent: true } : {}),
    ...(days === null ? {} : { listMaxAgeDays: days }),
  };
  const expiresAt = typeof expires === "number" ? { expiresAt: instantFromMillis(NOW + expires) } : {};
  return facts(policy, {
    isSingle: isExcepted,
    consent: expires === "no consent" ? null : { at: instantFromMillis(NOW - 100 * DAY), ...expiresAt },
    lists: { oldestAsOf: oldest === null ? null : instantFromMillis(oldest) },
  });
}

describe("consent and the age of lists", PROPERTY_TIMEOUT, () => {
  it("refuse as a plain reading says, to the millisecond", () => {
    const met = new Set<string>();
    const property = fc.property(cases, (each) => {
      const { days, asksConsent, isExcepted, expires, lists } = each;
      const hasConsent = expires === "never" || (typeof expires === "number" && expires > 0);
      const areYoung = lists.length > 0 && lists.every((left) => left !== null && left > 0);
      const expected = [
        ...(asksConsent && !isExcepted && !hasConsent ? ["consent"] : []),
        ...(days !== null && !areYoung ? ["listAge"] : []),
      ];
      expect(rulesOf(given(each))).toEqual(expected);
      met.add(expected.join());
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
    expect(met).toEqual(new Set(["", "consent", "listAge", "consent,listAge"]));
  });

  it("close what they allow exactly when they refuse it, and hours may close before", () => {
    let closings = 0;
    const property = fc.property(cases, (each) => {
      const dial = given(each);
      const { refusals, closesAt } = judgeDial(dial);
      if (refusals.length > 0 || closesAt === null) return;
      closings += 1;
      const closing = Date.parse(closesAt);
      const later = (millis: number) => rulesOf({ ...dial, at: instantFromMillis(millis) });
      expect(later(closing)).not.toEqual([]);
      expect(later(closing - 1)).toEqual([]);
      expect(closing).toBeLessThanOrEqual(each.isExcepted ? Number.POSITIVE_INFINITY : NOW + 7 * HOUR);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
    expect(closings).toBeGreaterThan(PROPERTY_RUNS / 20);
  });

  it("stand first and last in the order of refusals, with what they saw", () => {
    const all: Policy = {
      callableHours: { start: 14, end: 20 },
      attemptsPerNumber: { day: 1 },
      oneCallAtATime: true,
      exceptSingleCalls: false,
      requireConsent: true,
      listMaxAgeDays: 30,
    };
    const at = "2026-01-02T03:04:05.006Z" as const;
    const expiresAt = "2026-11-27T10:00:00.000Z" as const;
    const dial = facts(all, {
      consent: { at, expiresAt },
      lists: { oldestAsOf: at },
      dials: [NOW - 1],
      liveCall: "call_1",
    });
    const { refusals, evidence } = judgeDial(dial);
    expect(refusals.map(({ rule }) => rule)).toEqual([
      "consent",
      "oneCallAtATime",
      "attemptsPerNumber",
      "callableHours",
      "listAge",
    ]);
    const nobody = { until: null, heldBy: null };
    expect(refusals[0]).toEqual({ rule: "consent", value: at, limit: expiresAt, ...nobody });
    expect(refusals[4]).toEqual({ rule: "listAge", value: at, limit: 30, ...nobody });
    expect(evidence.checks).toHaveLength(5);
    const nowhere = { ...dial, phoneNumber: "+80012345678" as const };
    expect(rulesOf(nowhere)).toEqual(["consent", "oneCallAtATime", "zone_unknown", "listAge"]);
  });

  it("show that there is none", () => {
    const { evidence } = judgeDial(facts({ requireConsent: true, listMaxAgeDays: 7 }));
    expect(evidence.checks).toEqual([
      { rule: "consent", value: null, limit: null },
      { rule: "listAge", value: null, limit: 7 },
    ]);
  });
});
