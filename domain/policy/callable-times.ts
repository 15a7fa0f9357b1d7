import type { CallWindow } from "../shared/call-window.ts";
import { earliest, type Instant, instantFromMillis, millisOf, plusMillis } from "../shared/instant.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "../window/call-window.ts";
import { DAY, SEARCHED_DAYS } from "../window/local-window.ts";
import { offsetMillis } from "../window/zone-offset.ts";
import { hoursCloseAt, hoursNextOpening, type zonesConcerned } from "./callable-hours.ts";
import { differentRules } from "./equal-rules.ts";
import type { PolicyInForce } from "./policy.ts";

/** A whole number of weeks. */
const FORTNIGHT = 14 * DAY;

/**
 * When people may be called: in a campaign's window in one zone, and in the policy's hours in each of theirs.
 */
export type CallableTimes = {
  readonly zone: string;
  readonly window: CallWindow | null;
  /** null: the policy has none, or nobody knows where they live. */
  readonly hours: PolicyHours | null;
};

/** callableHours of an owner's policy for one person: they must be open in all of the zones. */
export type PolicyHours = { readonly zones: readonly string[]; readonly window: CallWindow };

/** Where a person may be. */
export type PersonZones = ReturnType<typeof zonesConcerned>;

/** null: the policy has none, or cannot be judged without a zone. */
export function policyHours(person: PersonZones, policy: PolicyInForce | null): PolicyHours | null {
  const window = policy?.policy.callableHours ?? null;
  return window === null || person === "zone_unknown" ? null : { zones: person, window };
}

/** Whether the policy allows no dial to them now because nobody knows where they are, as `judgeDial` says. */
export function isZoneUnknown(person: PersonZones, policy: PolicyInForce | null, now: Instant): boolean {
  if (policy === null) return false;
  const { callableHours, attemptsPerNumber } = policy.policy;
  if (callableHours === null && attemptsPerNumber === null) return false;
  const hours = policyHours(person, policy);
  return person === "zone_unknown" || (hours !== null && openingOf(hours, now) === "zone_unknown");
}

/** Hours of several zones that meet too late count as if no zone was known. null: they never open. */
function openingOf({ zones, window }: PolicyHours, from: Instant): Instant | "zone_unknown" | null {
  const opening = hoursNextOpening(zones, window, from);
  return opening === null && differentRules(zones, millisOf(from)).length > 1 ? "zone_unknown" : opening;
}

/** Whoever has no known zone is not kept back by the policy's hours: the judgement of the dial refuses it. */
export function isOpen({ zone, window, hours }: CallableTimes, at: Instant): boolean {
  if (!isWindowOpen(zone, window, at)) return false;
  const opening = hours === null ? at : openingOf(hours, at);
  return opening === at || opening === "zone_unknown";
}

/** The first moment from `from` on, at which it is open, when it is closed; null: not within 800 days. */
export function closesAt({ zone, window, hours }: CallableTimes, from: Instant): Instant | null {
  const closing = windowClosesAt(zone, window, from);
  if (hours === null || openingOf(hours, from) === "zone_unknown") return closing;
  return earliest([closing, hoursCloseAt(hours.zones, hours.window, from)]);
}

/** The first moment from `from` on at which it is open; null: none within 800 days. */
export function opensAt(times: CallableTimes, from: Instant): Instant | null {
  const { zone, window, hours } = times;
  if (hours === null) return nextOpening(zone, window, from);
  const { before, keep } = lastSearch(times, hours);
  const first = millisOf(from);
  if (before !== undefined && first >= before.from && first <= before.until) return before.found;
  const found = firstInBoth(zone, window, hours, from);
  // Whoever asks before the opening gets the same one. That there is none changes with the days.
  keep({ from: first, until: found === null ? first + DAY : millisOf(found), found });
  return found;
}

/**
 * Day by day only where the days differ from those before: a fortnight with the clocks of one in which
 * nothing was found, and without a date that is closed, has the same hours.
 */
function firstInBoth(
  zone: string,
  window: CallWindow | null,
  hours: PolicyHours,
  from: Instant,
): Instant | null {
  if (nextOpening(zone, window, from) === null) return null;
  const first = millisOf(from);
  const barren = new Set<string>();
  for (let start = first; start <= first + SEARCHED_DAYS * DAY; start += FORTNIGHT) {
    const clocks = clocksOf([zone, ...differentRules(hours.zones, start)], start);
    const isLikeOthers = clocks !== null && !hasClosedDate([window, hours.window], start);
    if (isLikeOthers && barren.has(clocks)) continue;
    const found = firstInFortnight(zone, window, hours, instantFromMillis(start));
    if (found !== null) return found;
    if (isLikeOthers) barren.add(clocks);
  }
  return null;
}

function firstInFortnight(
  zone: string,
  window: CallWindow | null,
  hours: PolicyHours,
  from: Instant,
): Instant | null {
  const end = plusMillis(from, FORTNIGHT);
  let at = nextOpening(zone, window, from);
  while (at !== null && at < end) {
    const opening = openingOf(hours, at);
    if (opening === "zone_unknown") return at;
    if (opening === null || isWindowOpen(zone, window, opening)) return opening;
    at = nextOpening(zone, window, opening);
  }
  return null;
}

/**
 * null: a clock is put forward or back in this fortnight. No zone changes its offset there and back in it.
 */
function clocksOf(zones: readonly string[], start: number): string | null {
  const offsets = (millis: number) => zones.map((zone) => offsetMillis(zone, millis)).join();
  const before = offsets(start - DAY);
  return before === offsets(start + FORTNIGHT + DAY) ? before : null;
}

/** Local dates, a day more on either side. */
function hasClosedDate(windows: readonly (CallWindow | null)[], start: number): boolean {
  const [first, last] = [start - 2 * DAY, start + FORTNIGHT + 2 * DAY].map((millis) =>
    instantFromMillis(millis).slice(0, "2026-12-25".length),
  );
  return windows.some((window) =>
    window?.excludedDates?.some((date) => date >= (first ?? "") && date <= (last ?? "")),
  );
}

type Search = { readonly from: number; readonly until: number; readonly found: Instant | null };

/**
 * The last search in each pair of window and hours, by zones: one that finds nothing takes milliseconds, and
 * is asked for again each second.
 */
const searches = new WeakMap<CallWindow, WeakMap<object, Map<string, Search>>>();
const NO_WINDOW = {};

function lastSearch({ zone, window }: CallableTimes, { zones, window: hours }: PolicyHours) {
  const ofHours = searches.get(hours) ?? new WeakMap<object, Map<string, Search>>();
  searches.set(hours, ofHours);
  const ofBoth = ofHours.get(window ?? NO_WINDOW) ?? new Map<string, Search>();
  ofHours.set(window ?? NO_WINDOW, ofBoth);
  const key = [zone, ...zones].join(" ");
  return { before: ofBoth.get(key), keep: (search: Search) => ofBoth.set(key, search) };
}
