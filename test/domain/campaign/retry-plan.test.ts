import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import { addFailure, failuresOf } from "../../../domain/campaign/contacts/contact-row.ts";
import { addContacts, createContactTable } from "../../../domain/campaign/contacts/contact-table.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import {
  onLaterDate,
  PLANNED_END_REASONS,
  plannedRetry,
  planProblems,
} from "../../../domain/campaign/retry-policy.ts";
import type { CampaignSettings, RetryPlanRow } from "../../../domain/campaign/settings.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { isWindowOpen } from "../../../domain/window/call-window.ts";
import { specOf } from "../../support/decider-spec.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { at, attemptEnded, contact, dialed, running } from "./example-campaign.ts";
import { segmentsOf } from "./offset-segments.ts";
import { ODD_ZONES, windowsAround } from "./random-windows.ts";

const given = specOf(campaignDecider);
const MINUTE = 60_000;
const ISTANBUL = "Europe/Istanbul";
const NINE_TO_SIX: CallWindow = { start: 9, end: 18 };
const BUSY: RetryPlanRow = { endReasons: ["busy"], afterMins: [10, 30], sameDay: true };
const TOMORROW: RetryPlanRow = { endReasons: ["no_answer", "voicemail"], afterMins: [60], sameDay: false };
/** Ten minutes after a busy line, then thirty; tomorrow when nobody answered. */
const PLAN: readonly RetryPlanRow[] = [BUSY, TOMORROW];

type Row = Extract<CampaignEvent, { type: "ContactAttemptFailed" }>["data"];

/** The attempts of one contact as they end, each a minute after its dial. */
function outcomesOf(
  settings: Partial<CampaignSettings>,
  reasons: readonly EndReason[],
  timezone: string | null = null,
): readonly Row[] {
  let history = running([contact(1, { timezone })], { window: NINE_TO_SIX, ...settings });
  const outcomes: Row[] = [];
  for (const [index, endReason] of reasons.entries()) {
    const call = index + 1;
    history = [...history, dialed(1, call, call)];
    const [event] = given(...history)
      .when(attemptEnded(1, endReason, { callId: `call_${call}` }))
      .events();
    if (event?.type !== "ContactAttemptFailed") throw new Error(`${endReason} is no failure`);
    outcomes.push(event.data);
    history = [...history, event];
  }
  return outcomes;
}
const waits = (outcomes: readonly Row[]) =>
  outcomes.map(({ retryAt }) => (retryAt === null ? null : (millisOf(retryAt) - millisOf(at(60))) / MINUTE));

describe("a retry plan", () => {
  it("waits after the n-th failure of a row as its n-th number says, and the last one repeats", () => {
    const busy = outcomesOf({ maxRetries: 4, retryPlan: PLAN }, ["busy", "busy", "busy", "busy", "busy"]);
    expect(waits(busy)).toEqual([10, 30, 30, 30, null]);
    expect(busy[1]).toMatchObject({ planRow: 0, retryIntervalMillis: 30 * MINUTE, maxAttempts: 5 });
    expect(busy[4]).not.toHaveProperty("planRow");
    expect(busy[4]).not.toHaveProperty("retryIntervalMillis");
  });
  it("counts only attempts that failed with an end of the row, whatever came between them", () => {
    const plan = [{ endReasons: ["busy", "declined"], afterMins: [10, 20, 30], sameDay: true }] as const;
    const ends = ["busy", "unreachable", "not_placed", "declined", "assistant_error", "busy"] as const;
    const outcomes = outcomesOf({ maxRetries: 9, retryPlan: plan }, ends);
    expect(waits(outcomes)).toEqual([10, 5, 0.5, 20, 5, 30]);
    expect(outcomes.map(({ planRow }) => planRow)).toEqual([0, undefined, undefined, 0, undefined, 0]);
    for (const index of [1, 2, 4]) expect(outcomes[index]).not.toHaveProperty("retryIntervalMillis");
  });
  it("says when, never how often", () => {
    const budget = { maxRetries: 1, retryOn: ["busy"] as const };
    expect(waits(outcomesOf({ ...budget, retryPlan: [BUSY] }, ["busy", "busy"]))).toEqual([10, null]);
    expect(waits(outcomesOf({ ...budget, retryPlan: [BUSY] }, ["no_answer"]))).toEqual([null]);
  });
  it("waits for the next day where it says so, in the contact's own zone", () => {
    // Tuesday 13:01 in Istanbul; 22:01 in Auckland, whose window opens at 9 on Wednesday.
    const due = (timezone: string | null) =>
      outcomesOf({ retryPlan: PLAN }, ["no_answer"], timezone)[0]?.retryAt;
    expect(due(null)).toBe("2026-09-02T06:00:00.000Z");
    expect(due("Pacific/Auckland")).toBe("2026-09-01T21:00:00.000Z");
  });
  it("waits for no window unless it is a later day that is meant", () => {
    const late = plannedRetry(
      { retryPlan: PLAN, window: NINE_TO_SIX },
      { endReason: "busy", endedAt: "2026-09-01T14:55:00.000Z", timezone: ISTANBUL, failuresOf: () => 1 },
    );
    expect(late?.retryAt).toBe("2026-09-01T15:05:00.000Z");
  });
  it("names what does not fit the other settings at its place", () => {
    expect(planProblems(PLAN, { retryOn: ["busy", "no_answer"], hasWindow: false })).toEqual([
      { path: [1, "endReasons", 1], message: "retryOn does not have voicemail, which the plan names" },
      { path: [1, "sameDay"], message: "A later day needs a call window" },
    ]);
    const fits = { retryOn: ["busy", "no_answer", "voicemail"], hasWindow: true } as const;
    expect(planProblems(PLAN, fits)).toEqual([]);
  });
});

describe("failures of a contact", () => {
  const table = () => {
    const contacts = createContactTable();
    addContacts(contacts, [
      { contactId: "ctc_1", phoneNumber: "+14155550101", timezone: null, consent: null, chunkRevision: 0 },
      { contactId: "ctc_2", phoneNumber: "+14155550102", timezone: null, consent: null, chunkRevision: 0 },
    ]);
    return contacts;
  };
  it("are counted apart for each end that a plan may name, and for no other", () => {
    expect(PLANNED_END_REASONS).not.toContain("not_placed");
    expect(PLANNED_END_REASONS).not.toContain("assistant_error");
    const contacts = table();
    for (const [times, reason] of PLANNED_END_REASONS.entries())
      for (let time = 0; time <= times; time += 1) addFailure(contacts, 0, reason);
    addFailure(contacts, 0, "not_placed");
    for (const [times, reason] of PLANNED_END_REASONS.entries())
      expect(failuresOf(contacts, 0, [reason]), reason).toBe(times + 1);
    expect(failuresOf(contacts, 0, ["not_placed"])).toBe(0);
    const all = PLANNED_END_REASONS.length;
    expect(failuresOf(contacts, 0, PLANNED_END_REASONS)).toBe((all * (all + 1)) / 2);
    expect(failuresOf(contacts, 1, PLANNED_END_REASONS)).toBe(0);
  });
  it("are counted up to more than any contact can have, and never spill into another end", () => {
    const contacts = table();
    for (let time = 0; time < 40; time += 1) addFailure(contacts, 0, "busy");
    expect(failuresOf(contacts, 0, ["busy"])).toBe(15);
    expect(failuresOf(contacts, 0, PLANNED_END_REASONS)).toBe(15);
  });
});

const overNight: CallWindow = { start: 20, end: 6 };

describe("a later day", PROPERTY_TIMEOUT, () => {
  const due = (zone: string, window: CallWindow, ended: Instant, minutes = 1) =>
    onLaterDate(zone, window, ended, instantFromMillis(millisOf(ended) + minutes * MINUTE));

  it.each<readonly [string, string, CallWindow, Instant, number, Instant]>([
    ["the next opening", ISTANBUL, NINE_TO_SIX, "2026-09-01T14:00:00.000Z", 1, "2026-09-02T06:00:00.000Z"],
    [
      "after its minutes",
      ISTANBUL,
      NINE_TO_SIX,
      "2026-09-01T10:00:00.000Z",
      1_440,
      "2026-09-02T10:00:00.000Z",
    ],
    [
      "not after closing",
      ISTANBUL,
      NINE_TO_SIX,
      "2026-09-01T14:00:00.000Z",
      1_500,
      "2026-09-03T06:00:00.000Z",
    ],
    [
      "over a weekend",
      ISTANBUL,
      { ...NINE_TO_SIX, days: [1, 2, 3, 4, 5] },
      "2026-09-04T10:00:00.000Z",
      1,
      "2026-09-07T06:00:00.000Z",
    ],
    [
      "over an excluded date",
      ISTANBUL,
      { ...NINE_TO_SIX, excludedDates: ["2026-09-02"] },
      "2026-09-01T10:00:00.000Z",
      1,
      "2026-09-03T06:00:00.000Z",
    ],
    ["not in the same night", ISTANBUL, overNight, "2026-09-01T19:00:00.000Z", 1, "2026-09-02T17:00:00.000Z"],
    ["nor in its rest", ISTANBUL, overNight, "2026-09-01T23:00:00.000Z", 1, "2026-09-03T17:00:00.000Z"],
    // 2026-03-08: 02:00 becomes 03:00.
    [
      "in a gap of the clock its end",
      "America/New_York",
      { start: 2, startMinute: 30, end: 5 },
      "2026-03-07T20:00:00.000Z",
      1,
      "2026-03-08T07:00:00.000Z",
    ],
    // 2026-11-01: 02:00 becomes 01:00 once more.
    [
      "in an hour that comes twice the first one",
      "America/New_York",
      { start: 1, startMinute: 30, end: 5 },
      "2026-10-31T20:00:00.000Z",
      1,
      "2026-11-01T05:30:00.000Z",
    ],
    // 2011-12-30 never was in Apia.
    [
      "where a date was left out",
      "Pacific/Apia",
      NINE_TO_SIX,
      "2011-12-30T00:00:00.000Z",
      1,
      "2011-12-30T19:00:00.000Z",
    ],
    // 2011-11-06, a minute past midnight: back to 23:01 of the day before, then midnight once more.
    [
      "never the day before, where the clock is put back over midnight",
      "America/St_Johns",
      { start: 0, end: 0, excludedDates: ["2011-11-20"] },
      "2011-11-06T02:30:30.000Z",
      30,
      "2011-11-07T03:30:00.000Z",
    ],
  ])("is %s", (_what, zone, window, ended, minutes, expected) =>
    expect(due(zone, window, ended, minutes)).toBe(expected),
  );

  it("is none where no window opens: the minutes alone hold", () => {
    const never: CallWindow = { start: 9, end: 10, days: [1], excludedDates: mondays(100) };
    const ended = "2026-09-01T10:00:00.000Z";
    expect(due(ISTANBUL, never, ended, 60)).not.toBe("2026-09-01T11:00:00.000Z");
    expect(due("Mars/Olympus", never, ended, 60)).toBe("2026-09-01T11:00:00.000Z");
    expect(onLaterDate(ISTANBUL, null, ended, "2026-09-01T11:00:00.000Z")).toBe("2026-09-01T11:00:00.000Z");
  });

  it("is the first open minute of a later date, also where clocks change, found by trying each", () => {
    const around = fc.constantFrom(...ODD_ZONES).chain((zone) =>
      fc
        .record({
          segment: fc.constantFrom(...segmentsOf(zone).slice(1), {
            from: Date.parse("2026-05-05T05:00:00Z"),
          }),
          shift: fc.integer({ min: -40 * 60, max: 20 * 60 }),
          minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 3 * 1_440 })),
        })
        .chain(({ segment, shift, minutes }) => {
          const ended = Math.floor(segment.from / MINUTE + shift) * MINUTE + 12_345;
          const hour = new Date(ended).getUTCHours();
          return windowsAround(ended, hour).map((window) => ({ zone, ended, minutes, window }));
        }),
    );
    let moved = 0;
    const property = fc.property(around, ({ zone, ended, minutes, window }) => {
      const expected = firstMinute(zone, window, ended, ended + minutes * MINUTE);
      fc.pre(expected !== null);
      if (expected !== ended + minutes * MINUTE) moved += 1;
      expect(due(zone, window, instantFromMillis(ended), minutes)).toBe(instantFromMillis(expected ?? 0));
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 4) });
    expect(moved).toBeGreaterThan(0);
  });
});

function mondays(count: number): readonly string[] {
  const first = Date.parse("2026-08-31T00:00:00Z");
  return Array.from({ length: count }, (_, week) =>
    new Date(first + week * 7 * 1_440 * MINUTE).toISOString().slice(0, 10),
  );
}

const SEARCHED_MINUTES = 9 * 1_440;

/** By the offsets that Intl names; the window of a moment began on the date of its local start. */
function firstMinute(zone: string, window: CallWindow, ended: number, from: number): number | null {
  const local = (millis: number) =>
    millis + (segmentsOf(zone).findLast((segment) => segment.from <= millis)?.offset ?? 0);
  const date = (millis: number) => Math.floor(local(millis) / (1_440 * MINUTE));
  const start = (window.start * 60 + (window.startMinute ?? 0)) * MINUTE;
  const began = (millis: number) => Math.floor((local(millis) - start) / (1_440 * MINUTE));
  const whole = Math.ceil(from / MINUTE) * MINUTE;
  const tried = Array.from({ length: SEARCHED_MINUTES }, (_, minute) => whole + minute * MINUTE);
  const found = [from, ...tried].find(
    (millis) => began(millis) > date(ended) && isWindowOpen(zone, window, instantFromMillis(millis)),
  );
  return found ?? null;
}

describe("the budget of a contact", PROPERTY_TIMEOUT, () => {
  const reasons = [...PLANNED_END_REASONS, "not_placed", "assistant_error", "invalid_number"] as const;
  const plans = fc.shuffledSubarray([...PLANNED_END_REASONS], { minLength: 1 }).chain((named) =>
    fc
      .record({
        cut: fc.integer({ min: 1, max: named.length }),
        rows: fc.array(
          fc.record({
            afterMins: fc.array(fc.integer({ min: 1, max: 10_080 }), { minLength: 1, maxLength: 10 }),
            sameDay: fc.boolean(),
          }),
          { minLength: 2, maxLength: 2 },
        ),
      })
      .map(({ cut, rows }) =>
        rows
          .map((row, index) => ({
            ...row,
            endReasons: index === 0 ? named.slice(0, cut) : named.slice(cut),
          }))
          .filter(({ endReasons }) => endReasons.length > 0),
      ),
  );

  it("is the same with any plan: as many attempts, no fewer and no more, each after its minutes", () => {
    const cases = fc.record({
      plan: plans,
      maxRetries: fc.integer({ min: 1, max: 10 }),
      ends: fc.array(fc.constantFrom(...reasons), { minLength: 1, maxLength: 14 }),
    });
    const property = fc.property(cases, ({ plan, maxRetries, ends }) => {
      const without = untilGivenUp(outcomesOf({ maxRetries }, ends));
      const planned = untilGivenUp(outcomesOf({ maxRetries, retryPlan: plan }, ends));
      expect(planned.map(({ retryAt }) => retryAt === null)).toEqual(
        without.map(({ retryAt }) => retryAt === null),
      );
      planned.forEach(({ retryAt, planRow, endReason }, index) => {
        const place = plan.findIndex(({ endReasons }) => endReasons.includes(endReason));
        expect(planRow).toBe(retryAt === null || place === -1 ? undefined : place);
        const row = plan[place];
        if (retryAt === null || row === undefined) return;
        const nth = ends.slice(0, index + 1).filter((end) => row.endReasons.includes(end)).length;
        const minutes = row.afterMins[Math.min(nth, row.afterMins.length) - 1] ?? Number.NaN;
        const waited = (millisOf(retryAt) - millisOf(at(60))) / MINUTE;
        if (row.sameDay) expect(waited).toBe(minutes);
        else expect(waited).toBeGreaterThanOrEqual(minutes);
      });
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 4) });
  });
});

function untilGivenUp(outcomes: readonly Row[]): readonly Row[] {
  const last = outcomes.findIndex(({ retryAt }) => retryAt === null);
  return last === -1 ? outcomes : outcomes.slice(0, last + 1);
}
