import { hoursCloseAt, hoursNextOpening, hoursOpen } from "../policy/callable-hours.ts";
import type { PolicyInForce } from "../policy/policy.ts";
import type { CallWindow } from "../shared/call-window.ts";
import { earliest, type Instant, millisOf, plusMillis } from "../shared/instant.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "../window/call-window.ts";
import { DAY, SEARCHED_DAYS } from "../window/local-window.ts";
import { groupsToCall, zoneOfGroup } from "./groups.ts";
import type { CampaignState } from "./state.ts";

/** When people may be called: in the campaign's window in one zone, and in the policy's hours in each of theirs. */
export type CallableTimes = {
  readonly zone: string;
  readonly window: CallWindow | null;
  readonly hours: PolicyHours | null;
};

/** callableHours of the owner's policy for one person: they must be open in all zones. */
export type PolicyHours = { readonly zones: readonly string[]; readonly window: CallWindow };

/** Of the contacts of a group. Whoever has no known zone is not kept back here: the admission refuses the dial. */
export function timesOf(state: CampaignState, group: number, policy: PolicyInForce | null): CallableTimes {
  const window = state.settings?.window ?? null;
  const people = state.contacts.groups.list[group]?.people ?? "zone_unknown";
  return { zone: zoneOfGroup(state, group), window, hours: policyHours(people, policy) };
}

/** null: the policy has none, or cannot be judged without a zone. */
export function policyHours(
  people: readonly string[] | "zone_unknown",
  policy: PolicyInForce | null,
): PolicyHours | null {
  const window = policy?.policy.callableHours ?? null;
  return window === null || people === "zone_unknown" ? null : { zones: people, window };
}

export function isOpen({ zone, window, hours }: CallableTimes, at: Instant): boolean {
  if (!isWindowOpen(zone, window, at)) return false;
  return hours === null || hoursOpen(hours.zones, hours.window, at) || haveNoneInCommon(hours, at);
}

/** Several zones whose hours meet too late count as none that is known. */
function haveNoneInCommon({ zones, window }: PolicyHours, at: Instant): boolean {
  return zones.length > 1 && hoursNextOpening(zones, window, at) === null;
}

/** The first moment from `from` on at which it is closed; null: not within 800 days. */
export function closesAt({ zone, window, hours }: CallableTimes, from: Instant): Instant | null {
  const closing = windowClosesAt(zone, window, from);
  if (hours === null || !hoursOpen(hours.zones, hours.window, from)) return closing;
  return earliest([closing, hoursCloseAt(hours.zones, hours.window, from)]);
}

/** The first moment from `from` on at which it is open; null: none within 800 days. */
export function opensAt(times: CallableTimes, from: Instant): Instant | null {
  const { zone, window, hours } = times;
  if (hours === null) return nextOpening(zone, window, from);
  const { before, keep } = rememberedSearch(times, hours);
  const first = millisOf(from);
  if (before !== undefined && first >= before.from && first < before.validUntil) return before.found;
  const found = firstCommon(zone, window, hours, from);
  // One that is found is the first for everybody who asks before it. That there is none changes slowly.
  keep({ from: first, validUntil: found === null ? first + DAY : millisOf(found), found });
  return found;
}

function firstCommon(
  zone: string,
  window: CallWindow | null,
  hours: PolicyHours,
  from: Instant,
): Instant | null {
  const last = plusMillis(from, SEARCHED_DAYS * DAY);
  for (let at = nextOpening(zone, window, from); at !== null && at <= last; ) {
    const both = hoursNextOpening(hours.zones, hours.window, at);
    if (both === null) return hours.zones.length > 1 ? at : null;
    if (both === at || isWindowOpen(zone, window, both)) return both;
    at = nextOpening(zone, window, both);
  }
  return null;
}

type Search = { readonly from: number; readonly validUntil: number; readonly found: Instant | null };

/**
 * The last search of each pair of windows, by zones: one that finds nothing takes milliseconds, and is asked for
 * each group each second.
 */
const searches = new WeakMap<CallWindow, WeakMap<object, Map<string, Search>>>();
const NO_WINDOW = {};

function rememberedSearch({ zone, window }: CallableTimes, { zones, window: hours }: PolicyHours) {
  const ofHours = searches.get(hours) ?? new WeakMap<object, Map<string, Search>>();
  searches.set(hours, ofHours);
  const ofBoth = ofHours.get(window ?? NO_WINDOW) ?? new Map<string, Search>();
  ofHours.set(window ?? NO_WINDOW, ofBoth);
  const key = [zone, ...zones].join(" ");
  return { before: ofBoth.get(key), keep: (search: Search) => ofBoth.set(key, search) };
}

/** Whether the policy allows no dial of this group, because nobody knows where the people are. */
export function isZoneUnknown(
  people: readonly string[] | "zone_unknown",
  policy: PolicyInForce | null,
  now: Instant,
): boolean {
  if (policy === null) return false;
  const { callableHours, attemptsPerNumber } = policy.policy;
  if (callableHours === null && attemptsPerNumber === null) return false;
  const hours = policyHours(people, policy);
  return people === "zone_unknown" || (hours !== null && haveNoneInCommon(hours, now));
}

/** Whether that holds for all who are still to be called. */
export function areAllZonesUnknown(state: CampaignState, policy: PolicyInForce | null, now: Instant): boolean {
  const { list } = state.contacts.groups;
  return groupsToCall(state).every((group) =>
    isZoneUnknown(list[group]?.people ?? "zone_unknown", policy, now),
  );
}
