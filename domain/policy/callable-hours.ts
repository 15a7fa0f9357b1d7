import type { CallWindow } from "../shared/call-window.ts";
import { earliest, type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
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
  return differentRules(zones, millisOf(at)).every((zone) => isWindowOpen(zone, window, at));
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
  const different = differentRules(zones, millisOf(from));
  const [first] = different;
  if (first !== undefined && different.length === 1) return nextOpening(first, window, from);
  const latest = instantFromMillis(millisOf(from) + LONGEST_WAIT);
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

/** The first moment from `from` on at which the window is closed in one of the zones; null: none in 800 days. */
export function hoursCloseAt(zones: readonly string[], window: CallWindow, from: Instant): Instant | null {
  return earliest(differentRules(zones, millisOf(from)).map((zone) => windowClosesAt(zone, window, from)));
}
