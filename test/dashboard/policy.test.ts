import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyRoutes } from "../../contract/policy.ts";
import {
  isOwnList,
  refusesEverybody,
  type Standing,
  standingOf,
} from "../../dashboard/src/pages/policy/lists/list-standing.ts";
import { controlOf, policyDraftOf, policyOf } from "../../dashboard/src/pages/policy/policy-draft.ts";
import { en } from "../../dashboard/src/policy/en.ts";
import {
  changesBetween,
  type PolicyRecord,
  RULES,
  type Speech,
  sentencesOf,
} from "../../dashboard/src/policy/sentences.ts";
import { tr } from "../../dashboard/src/policy/tr.ts";

const OFF: PolicyRecord = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  requireConsent: false,
  listMaxAgeDays: null,
  eligibility: null,
  exceptSingleCalls: false,
};

const some = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const minute = fc.integer({ min: 0, max: 59 });
const hour = fc.integer({ min: 0, max: 23 });
const anyHours = fc
  .record({
    start: hour,
    startMinute: some(minute),
    end: hour,
    endMinute: some(minute),
    days: some(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1, maxLength: 6 })),
    excludedDates: some(fc.subarray(["2026-10-29", "2026-12-25", "2027-01-01"], { minLength: 1 })),
  })
  .map((hours) => ({ ...hours }));
const anyPolicy = fc.record({
  callableHours: fc.option(anyHours),
  attemptsPerNumber: fc.option(
    fc.record({ day: some(fc.integer({ min: 1, max: 100 })), week: fc.integer({ min: 1, max: 500 }) }),
  ),
  oneCallAtATime: fc.boolean(),
  requireConsent: fc.boolean(),
  listMaxAgeDays: fc.option(fc.integer({ min: 1, max: 365 })),
  eligibility: fc.option(
    fc.record({
      url: fc.constant("https://crm.example.com/may-call"),
      timeoutMs: fc.integer({ min: 500, max: 5_000 }),
    }),
  ),
  exceptSingleCalls: fc.boolean(),
});

/** As the service reads what it is given. */
const read = (body: unknown) => policyRoutes.putPolicy.body.safeParse(body);

describe("the controls of a policy", () => {
  it("give back the very policy that filled them, whichever the service takes", () => {
    fc.assert(
      fc.property(anyPolicy, (given) => {
        const before = read(given);
        fc.pre(before.success);
        const shown = JSON.parse(JSON.stringify(before.data));
        const after = read(policyOf(policyDraftOf(shown)));
        expect(withoutDefaults(after.data)).toEqual(withoutDefaults(before.data));
      }),
      { numRuns: 300 },
    );
  });

  it("are all off where there is no policy", () => {
    expect(policyOf(policyDraftOf(null))).toEqual(OFF);
  });

  it.each([
    [["callableHours", "startMinute"], "callableHours.start"],
    [["callableHours", "excludedDates", 1], "callableHours.excludedDates"],
    [["attemptsPerNumber"], "attemptsPerNumber.day"],
    [["attemptsPerNumber", "week"], "attemptsPerNumber.week"],
    [["eligibility", "url"], "eligibility.url"],
    [["listMaxAgeDays"], "listMaxAgeDays"],
  ])("have a refusal of %j at %s", (path, control) => {
    expect(controlOf(path)).toBe(control);
  });
});

/** What the answer leaves out: minutes that are 0, dates that are none. */
function withoutDefaults(policy: unknown): unknown {
  const isDefault = (value: unknown) => value === 0 || (Array.isArray(value) && value.length === 0);
  return JSON.parse(
    JSON.stringify(policy, (name, value) =>
      /Minute$|excludedDates/.test(name) && isDefault(value) ? undefined : value,
    ),
  );
}

const speechIn = (texts: Readonly<Record<string, string>>): Speech => ({
  say: (key, values = {}) =>
    (texts[key] ?? key).replaceAll(/\{(\w+)[^{}]*\}/g, (_whole, name) => String(values[name])),
  hours: ({ callWindowStart, callWindowEnd }) => `${callWindowStart}–${callWindowEnd}.`,
  list: (items) => items.join(" + "),
  seconds: (value) => `${value} s`,
});

describe("the sentences of a policy", () => {
  it("are one for each rule that is on, in either language, and say other things of other policies", () => {
    for (const texts of [en, tr]) {
      const speech = speechIn(texts);
      const isOn = (policy: PolicyRecord) =>
        RULES.filter((rule) => policy[rule] !== null && policy[rule] !== false);
      fc.assert(
        fc.property(anyPolicy, anyPolicy, (before, now) => {
          const [told, then] = [now, before].map((each) => JSON.parse(JSON.stringify(each)));
          expect([...sentencesOf(told, speech).keys()]).toEqual(isOn(told));
          const changes = changesBetween(sentencesOf(then, speech), sentencesOf(told, speech));
          for (const { rule } of changes) expect(then[rule]).not.toEqual(told[rule]);
        }),
        { numRuns: 100 },
      );
    }
  });

  it("tell numbers, and the address by itself", () => {
    const policy = {
      ...OFF,
      attemptsPerNumber: { day: 2, month: 9 },
      eligibility: { url: "https://crm.example.com/", timeoutMs: 1_500 },
    };
    expect([...sentencesOf(policy, speechIn(en)).values()]).toEqual([
      {
        text: "A number is dialled at most 2 2 a day + 9 9 a month, by all campaigns and single calls together.",
        address: null,
      },
      {
        text: "Before each dial this address is asked, and answers within 1.5 s:",
        address: "https://crm.example.com/",
      },
    ]);
    expect(sentencesOf(null, speechIn(en)).size).toBe(0);
  });
});

const NOW = Date.parse("2026-10-01T12:00:00.000Z");
const REGISTER = {
  id: "spl_01k4b2s9h3e8t9v0w1x2y3z4a5",
  kind: "registry",
  active: true,
  asOf: "2026-09-01T12:00:00.000Z",
  behind: false,
} as const;

describe("how a list stands", () => {
  it.each<[Partial<Parameters<typeof standingOf>[0]>, number | null, Standing]>([
    [{}, null, { state: "aged", days: 30 }],
    [{}, 31, { state: "aged", days: 30 }],
    [{}, 30, { state: "old", days: 30 }],
    [{ asOf: "2026-09-01T12:00:00.001Z" }, 30, { state: "aged", days: 29 }],
    [{ asOf: null }, 30, { state: "missing", days: 0 }],
    [{ asOf: null }, null, { state: "empty", days: 0 }],
    [{ kind: "litigators" }, 1, { state: "on", days: 30 }],
    [{ active: false }, 1, { state: "off", days: 30 }],
    [{ active: false, behind: true }, 1, { state: "behind", days: 30 }],
    [{ id: "spl_default", kind: "own", asOf: null }, 1, { state: "on", days: 0 }],
  ])("%j with at most %s days", (changed, days, standing) => {
    expect(standingOf({ ...REGISTER, ...changed }, days, NOW)).toEqual(standing);
  });

  it("wants an active registry where its age is limited", () => {
    const others = [
      { ...REGISTER, active: false },
      { ...REGISTER, kind: "other" as const },
    ];
    expect([refusesEverybody(others, 30), refusesEverybody(others, null)]).toEqual([true, false]);
    expect(refusesEverybody([...others, REGISTER], 30)).toBe(false);
    expect(isOwnList(REGISTER)).toBe(false);
  });
});
