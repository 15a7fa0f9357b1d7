import { countriesOf } from "../../domain/policy/number-countries.ts";
import { ZONES_OF_COUNTRIES } from "../../domain/shared/zones-of-countries.ts";
import { createLocalTimes } from "../audit/local-time.ts";
import { phoneNumberOf } from "./dial-book.ts";
import { type ZoneClock, zoneClock } from "./zone-clock.ts";

/** Clocks of where somebody may be; null: nobody knows. */
export type PeopleZones = readonly ZoneClock[] | "unknown_to_intl" | null;

/** Where people are: in a zone of their own, or in every zone of every country that a number can be of. */
export function createPeopleZones() {
  const times = createLocalTimes();
  const clocks = new Map<string, ZoneClock | null>();
  const clockOf = (zone: string): ZoneClock | null => {
    const known = clocks.get(zone);
    if (known !== undefined) return known;
    const made = zoneClock(zone, times);
    clocks.set(zone, made);
    return made;
  };
  const byCountries = new Map<string, PeopleZones>();
  let latest: { readonly number: number; readonly zones: PeopleZones } | null = null;
  const ofCountries = (possible: readonly string[]): PeopleZones => {
    const names = possible.flatMap((each) => (ZONES_OF_COUNTRIES[each] ?? "").split(" ")).filter(Boolean);
    const found = [...new Set(names)].flatMap((zone) => clockOf(zone) ?? []);
    return found.length === 0 ? null : found;
  };
  return {
    own: (zone: string): PeopleZones => {
      const clock = clockOf(zone);
      return clock === null ? "unknown_to_intl" : [clock];
    },
    /** Of the number that was asked for last it is known: a number's dials come together. */
    ofNumber: (number: number): PeopleZones => {
      if (latest?.number === number) return latest.zones;
      const { possible } = countriesOf(phoneNumberOf(number));
      const zones = byCountries.get(possible.join()) ?? ofCountries(possible);
      byCountries.set(possible.join(), zones);
      latest = { number, zones };
      return zones;
    },
  };
}
