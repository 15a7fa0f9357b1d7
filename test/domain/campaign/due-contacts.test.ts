import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import {
  closedUntil,
  countDue,
  dueContacts,
  isHeldByWindow,
  nextDueAt,
  oldestDueSince,
} from "../../../domain/campaign/due-contacts.ts";
import type { CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { type Instant, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { isWindowOpen } from "../../../domain/window/call-window.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";
import { at, contact, dialed, failed, paused, running, succeeded } from "./example-campaign.ts";

const HOUR = 3_600;
const noCredits = paused("insufficient_credits");
const ZONES = [null, "Asia/Tokyo", "America/New_York", "Asia/Kolkata"];

/**
 * What became of a contact: never called, in a call, done, or waiting (until so many
 * seconds after the start).
 */
type Fate = {
  readonly zone: number;
  readonly number: number;
  readonly fate: "new" | "live" | "done" | "waits";
  readonly due: number;
};

const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.record({
    zone: fc.nat(ZONES.length - 1),
    number: fc.nat(5),
    fate: fc.constantFrom("new", "live", "done", "waits"),
    due: fc.integer({ min: 60, max: 30 * HOUR }),
  }),
  { minLength: 1, maxLength: 9 },
);
const moments = fc.integer({ min: 61, max: 30 * HOUR }).map(at);
const windows = fc.constantFrom<CallWindow | null>(
  null,
  { start: 9, end: 18 },
  { start: 22, end: 6 },
  { start: 13, end: 14 },
  { start: 9, end: 18, startMinute: 20, days: [3, 4] },
  { start: 22, end: 6, endMinute: 40, excludedDates: ["2026-09-01"] },
  { start: 0, end: 0, days: [3] },
);

function historyOf(given: readonly Fate[], window: CallWindow | null): CampaignEvent[] {
  const people = given.map(({ zone, number }, index) =>
    contact(index + 1, { timezone: ZONES[zone] ?? null, phoneNumber: `+1415555010${number}` }),
  );
  const events = given.map(({ fate, due }, index): CampaignEvent[] => {
    const number = index + 1;
    if (fate === "new") return [];
    if (fate === "live") return [dialedAt(people, number)];
    return [dialedAt(people, number), fate === "done" ? succeeded(number) : failed(number, at(due))];
  });
  return [...running(people, { window }), ...events.toSorted((a, b) => b.length - a.length).flat()];
}

function dialedAt(people: readonly ImportedContact[], number: number): CampaignEvent {
  const event = dialed(number);
  const phoneNumber = people[number - 1]?.phoneNumber;
  return event.type === "ContactDialed" && phoneNumber !== undefined
    ? { ...event, data: { ...event.data, phoneNumber } }
    : event;
}

/** A number is in one call at a time: the campaign sees to that. */
function oneCallPerNumber(given: readonly Fate[]): readonly Fate[] {
  const live = new Set<number>();
  return given.map((fate) => {
    if (fate.fate !== "live") return fate;
    if (live.has(fate.number)) return { ...fate, fate: "new" };
    live.add(fate.number);
    return fate;
  });
}

const stateOf = (events: readonly CampaignEvent[]) =>
  fold(campaignDecider, campaignDecider.initialState(), events);

/** The rule read aloud over the whole table: whoever may be called at `now`, in order. */
function plainly(state: CampaignState, given: readonly Fate[], now: Instant): readonly string[] {
  const window = state.settings?.window ?? null;
  const open = given
    .map((fate, index) => ({ ...fate, id: `ctc_${index + 1}` }))
    .filter(({ zone }) => isWindowOpen(ZONES[zone] ?? "Europe/Istanbul", window, now));
  const retries = open
    .filter(({ fate, due }) => fate === "waits" && at(due) <= now)
    .toSorted((a, b) => a.due - b.due);
  const taken = new Set(given.filter(({ fate }) => fate === "live").map(({ number }) => number));
  return [...open.filter(({ fate }) => fate === "new"), ...retries].flatMap(({ id, number }) => {
    if (taken.has(number)) return [];
    taken.add(number);
    return [id];
  });
}

const always = (check: (given: readonly Fate[], state: CampaignState, now: Instant) => void) =>
  fc.assert(
    fc.property(fates.map(oneCallPerNumber), windows, moments, (given, window, now) => {
      check(given, stateOf(historyOf(given, window)), now);
    }),
    { numRuns: PROPERTY_RUNS },
  );

describe("who is due, in any campaign at any time", PROPERTY_TIMEOUT, () => {
  it("are those whom the plain rule names, in its order", () =>
    always((given, state, now) => {
      const ids = dueContacts(state, now, 100, null).map(({ contactId }) => contactId);
      expect(ids).toEqual(plainly(state, given, now));
      expect(dueContacts(state, now, 2, null).map(({ contactId }) => contactId)).toEqual(ids.slice(0, 2));
    }));

  it("are as many as are named, also while the campaign is paused for what is not its own", () =>
    always((given, state, now) => {
      const held = stateOf([...historyOf(given, state.settings?.window ?? null), noCredits]);
      for (const each of [state, held])
        expect(countDue(each, now, null)).toBe(plainly(state, given, now).length);
    }));

  it("are held by the window when that alone keeps somebody back", () =>
    always((given, state, now) => {
      const named = plainly(state, given, now).length;
      if (named > 0) return;
      const waits = given.filter(({ fate }) => fate === "new" || fate === "waits");
      const closed = waits.filter(
        ({ zone }) => !isWindowOpen(ZONES[zone] ?? "Europe/Istanbul", state.settings?.window ?? null, now),
      );
      const isDue = closed.some(({ fate, due }) => fate === "new" || at(due) <= now);
      expect(isHeldByWindow(state, now, null)).toBe(
        isDue || (waits.length > 0 && closed.length === waits.length),
      );
    }));

  it("are due next at the first moment at which the plain rule names somebody", () =>
    always((given, state, now) => {
      const next = nextDueAt(state, now, null);
      const free = given.map((fate) => (fate.fate === "live" ? { ...fate, number: -1 } : fate));
      if (next === null) {
        expect(given.some(({ fate }) => fate === "new" || fate === "waits")).toBe(false);
        return;
      }
      expect(plainly(state, free, next)).not.toEqual([]);
      for (let before = millisOf(now); before < millisOf(next); before += 20 * 60_000)
        expect(plainly(state, free, plusMillis(now, before - millisOf(now)))).toEqual([]);
    }));

  it("cannot be called while every window is closed, until the first one opens", () =>
    always((given, state, now) => {
      const window = state.settings?.window ?? null;
      const zones = given
        .filter(({ fate }) => fate === "new" || fate === "waits")
        .map(({ zone }) => ZONES[zone] ?? "Europe/Istanbul");
      const closed = closedUntil(state, now, null);
      expect(closed !== null).toBe(
        zones.length > 0 && !zones.some((zone) => isWindowOpen(zone, window, now)),
      );
      const opensAt = closed?.opensAt ?? null;
      if (opensAt === null) return;
      expect(zones.some((zone) => isWindowOpen(zone, window, opensAt))).toBe(true);
      expect(zones.some((zone) => isWindowOpen(zone, window, plusMillis(opensAt, -1)))).toBe(false);
    }));
});

describe("since when somebody waits who could be called", () => {
  const since = (events: readonly CampaignEvent[], before: Instant) =>
    oldestDueSince(stateOf(events), before, before, null);

  it("is since when somebody has been due without a break, while a contact was never called", () => {
    const people = [contact(1), contact(2)];
    const events = [...running(people), dialed(1), failed(1, at(90))];
    expect(since(events, at(60))).toBe(at(60));
  });

  it("is the time of the first retry that is due, when only retries are left", () => {
    const people = [contact(1), contact(2)];
    const events = [...running(people), dialed(1), dialed(2), failed(1, at(120)), failed(2, at(90))];
    expect(since(events, at(60))).toBe(at(90));
  });

  it("is not before anybody could be called, though a retry was due in the night", () => {
    const events = [...running([contact(1)]), dialed(1), failed(1, at(90))];
    expect(since(events, at(600))).toBe(at(600));
  });
});
