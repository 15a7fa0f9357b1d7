import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallbackTerms } from "../../../domain/call/events.ts";
import { type CallbackMoment, callbackMoment } from "../../../domain/campaign/window/callback-moment.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { isWindowOpen } from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { segmentsOf } from "./offset-segments.ts";
import { dateText, ODD_ZONES, windowsAround } from "./random-windows.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LONDON: CallbackTerms = { zone: "Europe/London", window: null, left: 1, maxDays: 14 };
/** A Friday. */
const NOW: Instant = "2026-11-27T10:00:30.000Z";

describe("a callback that was asked for at a local time", () => {
  it("is due then when the window is open, and else when it opens", () => {
    expect(callbackMoment("2026-12-01T10:00", LONDON, NOW)).toEqual({
      at: "2026-12-01T10:00:00.000Z",
      moved: false,
    });
    const weekdays = { ...LONDON, window: { start: 9, end: 18, days: [1, 2, 3, 4, 5] } };
    expect(callbackMoment("2026-11-28T10:00", weekdays, NOW)).toEqual({
      at: "2026-11-30T09:00:00.000Z",
      moved: true,
    });
    expect(callbackMoment("2026-11-27T20:00", { ...LONDON, zone: "Asia/Kolkata" }, NOW)).toEqual({
      at: "2026-11-27T14:30:00.000Z",
      moved: false,
    });
  });
  it("is due in the hours of the policy too, in every zone of the person", () => {
    const hours = { zones: ["America/New_York", "America/Los_Angeles"], window: { start: 9, end: 18 } };
    const terms = { ...LONDON, window: { start: 8, end: 22 }, hours };
    // 09:00 in Los Angeles is 17:00 in London; 18:00 in New York is 23:00 there.
    expect(callbackMoment("2026-12-01T10:00", terms, NOW)).toEqual({
      at: "2026-12-01T17:00:00.000Z",
      moved: true,
    });
    expect(callbackMoment("2026-12-01T21:30", terms, NOW)).toMatchObject({ moved: false });
    const never = { ...terms, window: { start: 10, end: 12 } };
    expect(callbackMoment("2026-12-01T10:00", never, NOW)).toEqual({ refused: "opens_too_late" });
  });
  it("is the first moment after a gap of the clock, and the earlier of two", () => {
    const spring: Instant = "2027-03-27T12:00:00.000Z";
    expect(callbackMoment("2027-03-28T01:30", LONDON, spring)).toEqual({
      at: "2027-03-28T01:00:00.000Z",
      moved: true,
    });
    const autumn: Instant = "2026-10-24T12:00:00.000Z";
    expect(callbackMoment("2026-10-25T01:30", LONDON, autumn)).toEqual({
      at: "2026-10-25T00:30:00.000Z",
      moved: false,
    });
  });
  it("is refused when it is over, too far ahead, opens too late, or was agreed too often", () => {
    const refusal = (asked: string, terms: Partial<CallbackTerms> = {}) => {
      const moment = callbackMoment(asked, { ...LONDON, ...terms }, NOW);
      return "refused" in moment ? moment.refused : moment.at;
    };
    expect(refusal("2026-11-27T10:01")).toBe("past");
    expect(refusal("2026-11-27T10:02")).toBe("2026-11-27T10:02:00.000Z");
    expect(refusal("2020-01-01T10:00")).toBe("past");
    expect(refusal("2026-12-11T23:59")).toBe("2026-12-11T23:59:00.000Z");
    expect(refusal("2026-12-12T00:00")).toBe("too_far");
    expect(refusal("9999-12-31T23:59")).toBe("too_far");
    expect(refusal("2026-11-28T23:59", { maxDays: 1 })).toBe("2026-11-28T23:59:00.000Z");
    const dates = Array.from({ length: 9 }, (_, day) => `2026-12-0${day + 1}`);
    const closed = { start: 9, end: 18, excludedDates: dates };
    expect(refusal("2026-12-01T10:00", { window: closed })).toBe("opens_too_late");
    expect(refusal("2026-12-03T10:00", { window: closed })).toBe("2026-12-10T09:00:00.000Z");
    expect(refusal("2026-12-03T08:59", { window: closed })).toBe("opens_too_late");
    expect(refusal("2026-12-01T10:00", { left: 0 })).toBe("too_many");
    expect(refusal("2026-12-01T10:00", { zone: "Mars/Olympus" })).toBe("opens_too_late");
  });
  it("is refused when it names no date and time of the calendar", () => {
    const texts = ["2026-02-30T10:00", "2026-12-01T24:00", "2026-12-01T10:60", "2026-13-01T10:00"];
    const shapes = ["", "2026-12-01", "2026-12-01T10:00Z", "2026-12-01 10:00", " 2026-12-01T10:00"];
    const others = ["+026-12-01T10:00", "2026-12-01T10:00\n", "２０２６-12-01T10:00", "tomorrow", "\ud800"];
    for (const asked of [...texts, ...shapes, ...others])
      expect(callbackMoment(asked, LONDON, NOW), JSON.stringify(asked)).toEqual({ refused: "not_a_time" });
  });

  const moments = fc.record({
    zone: fc.constantFrom(...ODD_ZONES),
    /** Near a change of the clock, or anywhere. */
    change: fc.nat(),
    minutes: fc.integer({ min: -40 * 60, max: 40 * 60 }),
    ahead: fc.integer({ min: -3 * 1_440, max: 9 * 1_440 }),
    maxDays: fc.integer({ min: 1, max: 8 }),
  });
  const scenes = moments.chain(({ zone, change, minutes, ahead, maxDays }) => {
    const changes = segmentsOf(zone).slice(1);
    const near = changes[change % Math.max(1, changes.length)]?.from ?? Date.parse("2026-03-01T00:00:00Z");
    const asked = new Date(near + minutes * MINUTE).toISOString().slice(0, 16);
    const now = instantFromMillis(near + minutes * MINUTE - ahead * MINUTE);
    const window = fc.option(windowsAround(near, Math.floor((near / HOUR) % 24)), { nil: null });
    return window.map((each) => ({ asked, now, terms: { zone, window: each, left: 1, maxDays } }));
  });

  it("is what a clock finds that goes on minute by minute", PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(scenes, ({ asked, now, terms }) => {
        expect(callbackMoment(asked, terms, now)).toEqual(byMinutes(asked, terms, now));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

/** The same, slowly: changes of the clock are at whole minutes in these years. */
function byMinutes(asked: string, { zone, window, maxDays }: CallbackTerms, now: Instant): CallbackMoment {
  const localText = (millis: number) => {
    const offset = segmentsOf(zone).findLast(({ from }) => from <= millis)?.offset ?? 0;
    return new Date(millis + offset).toISOString().slice(0, 16);
  };
  const today = localText(millisOf(now)).slice(0, 10);
  if (asked.slice(0, 10) < today) return { refused: "past" };
  const last = dateText(Date.parse(today) / DAY + maxDays);
  if (asked.slice(0, 10) > last) return { refused: "too_far" };
  let at = Math.floor(Date.parse(`${asked}:00Z`) / MINUTE) * MINUTE - 2 * DAY;
  while (localText(at) < asked) at += MINUTE;
  if (at < millisOf(now) + MINUTE) return { refused: "past" };
  const latest = at + 7 * DAY;
  for (; at <= latest; at += MINUTE)
    if (isWindowOpen(zone, window, instantFromMillis(at)))
      return { at: instantFromMillis(at), moved: localText(at) !== asked };
  return { refused: "opens_too_late" };
}
