import { describe, expect, it } from "vitest";
import type { Policy } from "../../../domain/policy/policy.ts";
import {
  at,
  call,
  type Dialled,
  NO_RULES,
  policyChanged,
  replaced,
  switched,
  type Told,
  verdictOn,
  zonesAt,
} from "./example-log.ts";

const DAY = 24 * 60;
const POLICY: Policy = {
  callableHours: { start: 9, end: 18 },
  attemptsPerNumber: { day: 2, week: 3, month: 4 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
  requireConsent: true,
  listMaxAgeDays: 10,
  eligibility: { url: "https://example.com/may", timeoutMs: 2_000 },
};
const BERLIN = "+4915123456789";

/** Calls that keep every rule: two numbers, a week, a single call, one that became no dial. */
const clean: readonly Told[] = [
  replaced(-120, at(-3 * DAY)),
  policyChanged(1, -60, POLICY),
  ...call({ call: 1, minutes: 0 }),
  ...call({ call: 2, minutes: 1.5, ends: "not_placed" }),
  ...call({ call: 3, minutes: 2.5, ends: "busy" }),
  ...berlin(4, 5),
  ...call({ call: 5, minutes: DAY, single: true }),
  replaced(6.5 * DAY, at(6.5 * DAY)),
  ...call({ call: 6, minutes: 7 * DAY }),
];

function berlin(number: number, minutes: number, more: Partial<Dialled> = {}): Told[] {
  const evidence = { zones: zonesAt(minutes, "DE", 2), ...more.evidence };
  return call({ call: number, minutes, to: BERLIN, ...more, evidence });
}

const later = (...told: readonly Told[][]): readonly Told[] => [...clean, ...told.flat()];
const withPolicy = (changes: Partial<Policy>): readonly Told[] =>
  clean.map((told) =>
    told.event.type === "PolicyChanged" ? policyChanged(1, -60, { ...POLICY, ...changes }) : told,
  );
const consent = (value: string | null, limit: string | null) => ({
  evidence: { checks: [{ rule: "consent" as const, value, limit }] },
});
const hours = (changes: object) => withPolicy({ callableHours: { start: 9, end: 18, ...changes } });
const caps = (attemptsPerNumber: NonNullable<Policy["attemptsPerNumber"]>) =>
  withPolicy({ attemptsPerNumber });
const every = (rule: string, calls: readonly number[]) => calls.map((number) => `call_${number} ${rule}`);

const CAP = "attemptsPerNumber";
const HOURS = "callableHours";
const OTHER = "+905321234502";

/** What a service that broke a rule would have written, and the calls that break it. */
const PLANTED: readonly (readonly [problem: string, log: readonly Told[], broken: readonly string[]])[] = [
  ["a third dial of a day", later(berlin(7, 10), berlin(8, 15)), every(CAP, [8])],
  [
    "a third dial of a day by a single call",
    later(berlin(7, 10), berlin(8, 15, { single: true })),
    every(CAP, [8]),
  ],
  ["a fourth dial of a week", later(call({ call: 7, minutes: 2 * DAY })), every(CAP, [7, 6])],
  ["a fifth dial of a month", later(call({ call: 7, minutes: 7 * DAY + 3 })), every(CAP, [7])],
  ["a lower cap of a day", caps({ day: 1 }), every(CAP, [3])],
  ["a lower cap of a week", caps({ week: 2 }), every(CAP, [5])],
  ["a lower cap of a month", caps({ month: 3 }), every(CAP, [6])],
  [
    "a third dial that is written late",
    later(berlin(7, 10), berlin(8, 12, { writtenLater: 0.9 })),
    every(CAP, [8]),
  ],
  [
    "a dial before the hours",
    later(call({ call: 7, minutes: -300, to: OTHER }))
      .with(1, policyChanged(1, -600, POLICY))
      .with(0, replaced(-601, at(-3 * DAY))),
    every(HOURS, [7]),
  ],
  ["dials when the hours have ended", hours({ end: 13 }), every(HOURS, [1, 3, 5, 6])],
  ["a dial on a day without hours", hours({ days: [2] }), every(HOURS, [5])],
  ["a dial on an excluded date", hours({ excludedDates: ["2026-09-02"] }), every(HOURS, [5])],
  ["dials a minute before the hours", hours({ start: 13, startMinute: 1 }), every(HOURS, [1, 4, 5, 6])],
  [
    "a contact at night in its own zone",
    later(
      call({
        call: 7,
        minutes: 20,
        to: OTHER,
        timezone: "Asia/Tokyo",
        evidence: { zones: zonesAt(20, null, 9) },
      }),
    ),
    every(HOURS, [7]),
  ],
  [
    "a single call at night in the zone that it was given",
    later(call({ call: 7, minutes: 20, to: OTHER, single: true, timezone: "Asia/Tokyo" })),
    every(HOURS, [7]),
  ],
  [
    "hours that are open in the east of the country alone",
    later(call({ call: 7, minutes: 210, to: "+12125550123", evidence: { zones: zonesAt(210, "US", -4) } })),
    every(HOURS, [7]),
  ],
  [
    "a number that nobody can place",
    later(call({ call: 7, minutes: 20, to: "+800123456789", single: true })),
    every("zone_unknown", [7]),
  ],
  [
    "a number of a satellite",
    later(call({ call: 7, minutes: 20, to: "+870773111632", single: true })),
    every("zone_unknown", [7]),
  ],
  [
    "two calls of a number at once",
    later(berlin(7, 10, { lasts: 30 }), berlin(9, 12)).filter(({ stream }) => stream !== "call-call_4"),
    every("oneCallAtATime", [9]),
  ],
  [
    "a call beside one that has not ended",
    later(
      berlin(7, 60, { lasts: null }),
      call({ call: 8, minutes: 100, to: BERLIN, single: true, timezone: "Europe/Berlin" }),
    ).filter(({ stream }) => stream !== "call-call_4"),
    every("oneCallAtATime", [8]),
  ],
  ["no consent", later(berlin(7, 20, consent(null, null))), every("consent", [7])],
  ["consent that had expired", later(berlin(7, 20, consent(at(-DAY), at(19)))), every("consent", [7])],
  ["consent that was given afterwards", later(berlin(7, 20, consent(at(21), null))), every("consent", [7])],
  [
    "a single call whose consent had expired",
    later(berlin(7, 20, { single: true, consent: { source: null, at: at(-DAY), expiresAt: at(19) } })),
    every("consent", [7]),
  ],
  [
    "no list at all",
    clean.filter(({ event }) => event.type !== "SuppressionListReplaced"),
    every("listAge", [1, 3, 4, 5, 6]),
  ],
  ["a list that was switched off", later([switched(4, false)]), every("listAge", [4, 5, 6])],
  ["a list that was deleted", later([switched(4, false, true)]), every("listAge", [4, 5, 6])],
  ["a list that grew too old", withPolicy({ listMaxAgeDays: 3 }), every("listAge", [3, 4, 5])],
  ["an older list beside a young one", later([replaced(-100, at(-9 * DAY), "spl_2")]), every("listAge", [6])],
  ["the address was not asked", later(berlin(7, 20, { asked: false })), every("eligibility", [7])],
  [
    "the address was asked long before",
    later(berlin(7, 20, { evidence: { eligibility: { eventId: "e", askedAt: at(18), millis: 5 } } })),
    every("eligibility", [7]),
  ],
  [
    "a newer version that was overlooked",
    later([policyChanged(2, 4, { ...POLICY, callableHours: { start: 20, end: 21 } })]),
    every(HOURS, [4, 5, 6]),
  ],
];

describe("a log held against the policy that was in force", () => {
  it("keeps every rule where nothing is planted", () => {
    expect(verdictOn(clean)).toStrictEqual({
      dials: 5,
      count: 0,
      byRule: {},
      unverifiable: [],
      violations: [],
    });
  });

  it.each(PLANTED)("finds %s", (_problem, log, broken) => {
    const { violations, count, byRule } = verdictOn(log);
    expect(violations.map(({ callId, rule }) => `${callId} ${rule}`).toSorted()).toStrictEqual(
      broken.toSorted(),
    );
    expect(count).toBe(broken.length);
    expect(Object.values(byRule)).toStrictEqual([broken.length]);
  });

  it("has thirty of them", () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(30);
  });

  it("finds nothing when everything was off", () => {
    expect(verdictOn(withPolicy(NO_RULES)).count).toBe(0);
  });
});
