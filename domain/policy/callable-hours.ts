import type { CallWindow } from "../shared/call-window.ts";
import { earliest, type Instant, millisOf, plusMillis } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { ZONES_OF_COUNTRIES } from "../shared/zones-of-countries.ts";
import { isKnownZone, isWindowOpen, nextOpening, windowClosesAt } from "../window/call-window.ts";
import { zoneKey } from "../window/zone-offset.ts";
import { differentRules } from "./equal-rules.ts";
import { countriesOf } from "./number-countries.ts";

const DAY = 86_400_000;
/** Hours that never come within this time in all zones of a person: nobody knows when to call. */
const LONGEST_WAIT = 14 * DAY;

/** One array for each set of zones, so that what is known of it can be remembered. By its names. */
const sets = new Map<string, readonly string[]>();
const ofCountries = new WeakMap<readonly string[], readonly string[] | "zone_unknown">();

/**
 * Where a person may be, which is where a rule must hold: in the own zone, else in every zone of the number's
 * country, else in every zone of every country of its calling code. The same array for the same zones.
 * `zone_unknown`: a calling code of no country, or a zone without rules on this machine.
 */
export function zonesConcerned(
  phoneNumber: PhoneNumber,
  timezone: string | null,
): readonly string[] | "zone_unknown" {
  if (timezone !== null) return isKnownZone(timezone) ? setOf([timezone]) : "zone_unknown";
  const { possible } = countriesOf(phoneNumber);
  const known = ofCountries.get(possible);
  if (known !== undefined) return known;
  // A zone that an older tzdata does not have is still part of another one there.
  const zones = possible
    .flatMap((country) => ZONES_OF_COUNTRIES[country]?.split(" ") ?? [])
    .filter((zone) => isKnownZone(zone));
  const concerned = zones.length === 0 ? "zone_unknown" : setOf([...new Set(zones)].toSorted());
  ofCountries.set(possible, concerned);
  return concerned;
}

function setOf(zones: readonly string[]): readonly string[] {
  const key = zones.map((zone) => zoneKey(zone)).join();
  const known = sets.get(key) ?? zones;
  sets.set(key, known);
  return known;
}

/** Whether the window is open in all of the zones. */
export function hoursOpen(zones: readonly string[], window: CallWindow, at: Instant): boolean {
  return stretchAt(zones, window, at).isOpen;
}

/**
 * The first moment from `from` on at which the window is open in all of the zones. null: none within 14 days
 * (zones with one rule: within the 800 days of a campaign's window).
 */
export function hoursNextOpening(
  zones: readonly string[],
  window: CallWindow,
  from: Instant,
): Instant | null {
  const { isOpen, edge } = stretchAt(zones, window, from);
  if (isOpen || edge === null) return isOpen ? from : null;
  const isTooLate = millisOf(edge) - millisOf(from) > LONGEST_WAIT;
  return isTooLate && differentRules(zones, millisOf(from)).length > 1 ? null : edge;
}

/** The first moment from `from` on at which the window is closed in one zone; null: none within 800 days. */
export function hoursCloseAt(zones: readonly string[], window: CallWindow, from: Instant): Instant | null {
  const { isOpen, edge } = stretchAt(zones, window, from);
  return isOpen ? edge : from;
}

/** The zone by which the hours are decided: open, where they close first; closed, where they open last. */
export function hoursDecidedIn(zones: readonly string[], window: CallWindow, at: Instant): string | null {
  const { isOpen, zone } = stretchAt(zones, window, at);
  if (isOpen) return zone;
  let [decisive, last]: [string | null, Instant | null] = [null, null];
  for (const each of differentRules(zones, millisOf(at))) {
    const opening = nextOpening(each, window, at);
    if (decisive === null || opening === null || (last !== null && opening > last))
      [decisive, last] = [each, opening];
  }
  return decisive;
}

/** Time in which the window is open in all of the zones, or closed in one of them. */
type Stretch = {
  readonly isOpen: boolean;
  /** Both in milliseconds; what is said here holds from the one until before the other. */
  readonly from: number;
  readonly until: number;
  /** When it ends; null: not within the time that was searched. */
  readonly edge: Instant | null;
  /** Open: the zone in which it closes first. */
  readonly zone: string | null;
};

/** Each dial asks, some thousands in a stretch. */
const stretches = new WeakMap<CallWindow, WeakMap<readonly string[], Stretch>>();

function stretchAt(zones: readonly string[], window: CallWindow, at: Instant): Stretch {
  const millis = millisOf(at);
  const ofWindow = stretches.get(window) ?? new WeakMap<readonly string[], Stretch>();
  const known = ofWindow.get(zones);
  if (known !== undefined && known.from <= millis && millis < known.until) return known;
  const stretch = findStretch(differentRules(zones, millis), window, at);
  stretches.set(window, ofWindow.set(zones, stretch));
  return stretch;
}

function findStretch(different: readonly string[], window: CallWindow, at: Instant): Stretch {
  const from = millisOf(at);
  if (!different.every((zone) => isWindowOpen(zone, window, at))) {
    const edge = commonOpening(different, window, at);
    // With none in sight it is looked for again when it might come within the longest wait.
    const unseen = different.length > 1 ? from + DAY : from;
    return { isOpen: false, from, until: edge === null ? unseen : millisOf(edge), edge, zone: null };
  }
  const closings = different.map((zone) => windowClosesAt(zone, window, at));
  const edge = earliest(closings);
  const zone = different[closings.indexOf(edge)] ?? null;
  return { isOpen: true, from, until: edge === null ? from : millisOf(edge), edge, zone };
}

/** Several zones: null when there is none within the longest wait and a day. */
function commonOpening(different: readonly string[], window: CallWindow, from: Instant): Instant | null {
  const [first] = different;
  if (first !== undefined && different.length === 1) return nextOpening(first, window, from);
  const latest = plusMillis(from, LONGEST_WAIT + DAY);
  let at = from;
  for (;;) {
    let next: Instant = at;
    for (const zone of different) {
      const opening = nextOpening(zone, window, next);
      if (opening === null || opening > latest) return null;
      next = opening;
    }
    if (next === at) return at;
    at = next;
  }
}
