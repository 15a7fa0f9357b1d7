import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialFacts, dialsNeeded, judgeDial } from "../../../domain/policy/judge-dial.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { AttemptsPerNumber, Policy } from "../../../domain/policy/policy.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { anybody, momentsOf, type Person, quarters, wallClock } from "./random-people.ts";

const QUARTER = 15 * 60_000;
const DAY = 96 * QUARTER;
const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

/** A Friday, 13:00 in Istanbul. */
function facts(policy: Partial<Policy>, changes: Partial<DialFacts> = {}): DialFacts {
  return {
    inForce: { version: 7, policy: { ...OFF, ...policy } },
    phoneNumber: "+905321112233",
    timezone: null,
    isSingle: false,
    consent: null,
    lists: NO_LISTS,
    at: "2026-11-27T10:00:00.000Z",
    dials: [],
    liveCall: null,
    tzdata: "2026c",
    ...changes,
  };
}

const caps: fc.Arbitrary<AttemptsPerNumber> = fc
  .record(
    {
      day: fc.integer({ min: 1, max: 4 }),
      week: fc.integer({ min: 1, max: 8 }),
      month: fc.integer({ min: 1, max: 12 }),
    },
    { requiredKeys: [] },
  )
  .filter((limits) => Object.keys(limits).length > 0);

/** Dials of a month before, most of them lately, latest first. */
const cases = anybody.chain((person) =>
  momentsOf(person).chain((at) =>
    fc.record({
      person: fc.constant(person),
      at: fc.constant(at),
      attempts: caps,
      dials: fc
        .array(fc.oneof(fc.nat(96 * 2), fc.nat(96 * 8), fc.nat(96 * 33)), { maxLength: 16 })
        .map((ago) => ago.toSorted((a, b) => a - b).map((quarters) => at - quarters * QUARTER)),
    }),
  ),
);

/** Names of the local day, ISO week and month, which sort by time. */
function periodsOf(zone: string, millis: number): Required<Record<keyof AttemptsPerNumber, string>> {
  const wall = wallClock(zone, millis);
  const monday = new Date(wall.getTime() - ((wall.getUTCDay() + 6) % 7) * DAY);
  return {
    day: wall.toISOString().slice(0, 10),
    week: monday.toISOString().slice(0, 10),
    month: wall.toISOString().slice(0, 7),
  };
}

/** Counted by names of local dates: a dial is of a period when it is in any of the zones. */
function isAllowed(
  person: Person,
  attempts: AttemptsPerNumber,
  dials: readonly number[],
  at: number,
): boolean {
  const names = Object.keys(attempts) as (keyof AttemptsPerNumber)[];
  return names.every((name) => {
    const now = person.zones.map((zone) => periodsOf(zone, at)[name]);
    const ofPeriod = dials.filter((dial) =>
      person.zones.some((zone, index) => periodsOf(zone, dial)[name] >= (now[index] ?? "")),
    );
    return ofPeriod.length < (attempts[name] ?? 0);
  });
}

describe("dials of a number, counted", PROPERTY_TIMEOUT, () => {
  it("are refused when the names of local dates say so in any zone, with the number of the latest alone", () => {
    const property = fc.property(cases, ({ person, at, attempts, dials }) => {
      const policy = { ...OFF, attemptsPerNumber: attempts };
      const known = dials.slice(0, dialsNeeded(policy));
      const judged = judgeDial(
        facts(policy, { phoneNumber: person.phoneNumber, at: instantFromMillis(at), dials: known }),
      );
      expect(judged.refusals.length === 0).toBe(isAllowed(person, attempts, dials, at));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("are allowed again at `until`, and at no quarter of an hour before", () => {
    let refused = 0;
    const property = fc.property(cases, ({ person, at, attempts, dials }) => {
      const { phoneNumber } = person;
      const judged = judgeDial(
        facts({ attemptsPerNumber: attempts }, { phoneNumber, at: instantFromMillis(at), dials }),
      );
      const [refusal] = judged.refusals;
      if (refusal === undefined) return;
      refused += 1;
      const until = Date.parse(refusal.until ?? "");
      expect(isAllowed(person, attempts, dials, until)).toBe(true);
      expect(isAllowed(person, attempts, dials, until - 1)).toBe(false);
      for (const quarter of quarters(at, 3)) {
        if (quarter >= until) break;
        expect(isAllowed(person, attempts, dials, quarter)).toBe(false);
      }
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS / 5 });
    expect(refused).toBeGreaterThan(PROPERTY_RUNS / 50);
  });

  it("begin a day of Samoa that follows the one it left out", () => {
    const of = (at: `${string}Z`, dial: string) =>
      judgeDial(
        facts(
          { attemptsPerNumber: { day: 1 } },
          { phoneNumber: "+6857212345", at, dials: [Date.parse(dial)] },
        ),
      ).refusals.map(({ until }) => until);
    // Thursday 2011-12-29 ended at 10:00 UTC, and Saturday began.
    expect(of("2011-12-30T09:59:59.999Z", "2011-12-29T12:00:00Z")).toEqual(["2011-12-30T10:00:00.000Z"]);
    expect(of("2011-12-30T10:00:00.000Z", "2011-12-30T09:59:59.999Z")).toEqual([]);
  });

  it("of Kiribati begin with its first island's day, and are allowed with the last one's", () => {
    // Friday 00:00 of Kiritimati is 10:00 UTC of Thursday, of Tarawa 12:00.
    const judged = judgeDial(
      facts(
        { attemptsPerNumber: { day: 1 } },
        {
          phoneNumber: "+68672001234",
          at: "2026-11-26T11:00:00.000Z",
          dials: [Date.parse("2026-11-26T09:00:00Z")],
        },
      ),
    );
    expect(judged.refusals[0]?.until).toBe("2026-11-26T12:00:00.000Z");
  });

  it("say the full cap that holds longest, else the one with least room", () => {
    const dials = [1, 2, 3].map((hours) => Date.parse("2026-11-27T10:00:00Z") - hours * 4 * QUARTER);
    const attempts = (limits: AttemptsPerNumber) =>
      judgeDial(facts({ attemptsPerNumber: limits }, { dials })).evidence.checks;
    const rule = "attemptsPerNumber";
    expect(attempts({ day: 3, week: 3 })).toEqual([{ rule, value: 3, limit: "3/week" }]);
    expect(attempts({ day: 3, week: 9 })).toEqual([{ rule, value: 3, limit: "3/day" }]);
    expect(attempts({ day: 5, month: 4 })).toEqual([{ rule, value: 3, limit: "4/month" }]);
  });

  it.each([
    [null, 0],
    [{ day: 3 }, 3],
    [{ day: 3, week: 10, month: 7 }, 10],
  ])("need to be known up to the largest cap: of %j the latest %i", (attemptsPerNumber, needed) => {
    expect(dialsNeeded({ ...OFF, attemptsPerNumber })).toBe(needed);
  });
});

const ALL: Policy = {
  callableHours: { start: 9, end: 20, days: [1, 2, 3, 4, 5] },
  attemptsPerNumber: { day: 1 },
  oneCallAtATime: true,
  exceptSingleCalls: true,
};
const at = "2026-11-28T10:00:00.000Z"; // a Saturday
const dials = [Date.parse(at) - 1];

describe("a judgement", () => {
  it("refuses by each rule, in their order", () => {
    const { refusals, closesAt } = judgeDial(facts(ALL, { at, dials, liveCall: "call_1" }));
    expect(refusals).toEqual([
      { rule: "oneCallAtATime", value: 1, limit: 1, until: null, heldBy: "call_1" },
      {
        rule: "attemptsPerNumber",
        value: 1,
        limit: "1/day",
        until: "2026-11-28T21:00:00.000Z",
        heldBy: null,
      },
      {
        rule: "callableHours",
        value: "2026-11-28T13:00:00.000+03:00",
        limit: "09:00–20:00 on Mon, Tue, Wed, Thu, Fri",
        until: "2026-11-30T06:00:00.000Z",
        heldBy: null,
      },
    ]);
    expect(closesAt).toBe(at);
  });

  it("of a grant that has no event yet names no call", () => {
    const { refusals } = judgeDial(facts({ oneCallAtATime: true }, { liveCall: "unnamed" }));
    expect(refusals).toEqual([{ rule: "oneCallAtATime", value: 1, limit: 1, until: null, heldBy: null }]);
  });

  it("holds an excepted single call to one call at a time only", () => {
    const { refusals, evidence, closesAt } = judgeDial(facts(ALL, { at, dials, isSingle: true }));
    expect(refusals).toEqual([]);
    expect(evidence).toEqual({
      policyVersion: 7,
      judgedAt: at,
      checks: [{ rule: "oneCallAtATime", value: 0, limit: 1 }],
      zones: null,
    });
    expect(closesAt).toBeNull();
    const strict = { ...ALL, exceptSingleCalls: false };
    expect(judgeDial(facts(strict, { at, dials, isSingle: true })).refusals).toHaveLength(2);
  });

  it("proves an allowed dial by the zones and the local times in them", () => {
    const hours = { callableHours: { start: 9, end: 20 } };
    const judged = judgeDial(facts(hours, { phoneNumber: "+12133734253", at: "2026-11-27T20:30:00.000Z" }));
    expect(judged.refusals).toEqual([]);
    expect(judged.evidence).toEqual({
      policyVersion: 7,
      judgedAt: "2026-11-27T20:30:00.000Z",
      checks: [{ rule: "callableHours", value: "2026-11-27T15:30:00.000-05:00", limit: "09:00–20:00" }],
      zones: {
        country: "US",
        count: 8,
        data: "countries-and-timezones@3.10.0/2026c",
        local: ["2026-11-27T10:30:00.000-10:00", "2026-11-27T15:30:00.000-05:00"],
      },
    });
    expect(judged.closesAt).toBe("2026-11-28T01:00:00.000Z");
  });

  it("by a person's own zone names no country", () => {
    const hours = { callableHours: { start: 9, end: 20 } };
    const { evidence } = judgeDial(facts(hours, { phoneNumber: "+12133734253", timezone: "Asia/Kathmandu" }));
    expect(evidence.zones).toMatchObject({ country: null, count: 1 });
    expect(evidence.zones?.local[0]).toBe("2026-11-27T15:45:00.000+05:45");
  });

  it("says the excluded date that closes the hours, and no other", () => {
    const excludedDates = ["2026-11-27", "2026-12-25"];
    const { refusals } = judgeDial(facts({ callableHours: { start: 9, end: 20, excludedDates } }));
    expect(refusals[0]?.limit).toBe("09:00–20:00, not on 2026-11-27");
  });

  it.each([
    ["callableHours", { callableHours: { start: 9, end: 20 } }],
    ["attemptsPerNumber", { attemptsPerNumber: { day: 1 } }],
  ])("with %s and nobody knows a zone is zone_unknown", (_, policy) => {
    const { refusals, evidence } = judgeDial(facts(policy, { phoneNumber: "+80012345678" }));
    expect(refusals).toEqual([{ rule: "zone_unknown", value: null, limit: null, until: null, heldBy: null }]);
    expect(evidence.zones).toBeNull();
  });

  it("asks for no zone when no rule does", () => {
    const { refusals } = judgeDial(facts({ oneCallAtATime: true }, { phoneNumber: "+80012345678" }));
    expect(refusals).toEqual([]);
  });

  it("of hours that are never the same in all zones is zone_unknown after the caps", () => {
    const policy = { callableHours: { start: 10, end: 14 }, attemptsPerNumber: { day: 1 } };
    const { refusals } = judgeDial(facts(policy, { phoneNumber: "+79161234567", at, dials }));
    expect(refusals.map(({ rule, value }) => [rule, value])).toEqual([
      ["attemptsPerNumber", 1],
      ["zone_unknown", "RU"],
    ]);
  });
});
