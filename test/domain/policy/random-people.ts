import { getAllCountries } from "countries-and-timezones";
import fc from "fast-check";
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { segmentsOf } from "../campaign/offset-segments.ts";

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;

/** Somebody in a country, and the zones of it that the package names. */
export type Person = { readonly phoneNumber: PhoneNumber; readonly zones: readonly string[] };

/** Left out: the example of the Cocos Islands reads as a number of Australia, and others like it. */
const people: readonly Person[] = Object.values(getAllCountries()).flatMap(({ id, timezones }) => {
  const number = getExampleNumber(id as CountryCode, examples)?.number ?? "";
  return parsePhoneNumberFromString(number)?.country !== id || timezones.length === 0
    ? []
    : [{ phoneNumber: number as PhoneNumber, zones: timezones }];
});
const inManyZones = people.filter(({ zones }) => zones.length > 1);

/** Every second one in a country of several zones. */
export const anybody: fc.Arbitrary<Person> = fc.oneof(
  fc.constantFrom(...people),
  fc.constantFrom(...inManyZones),
);

/** A whole quarter of an hour, every second one beside a change of a clock in the person's country. */
export function momentsOf({ zones }: Person): fc.Arbitrary<number> {
  const changes = zones.flatMap((zone) => segmentsOf(zone).map(({ from }) => from)).filter(Number.isFinite);
  const anyTime = fc
    .integer({
      min: Date.parse("2025-01-01T00:00:00Z") / QUARTER,
      max: Date.parse("2031-01-01T00:00:00Z") / QUARTER,
    })
    .map((quarter) => quarter * QUARTER);
  if (changes.length === 0) return anyTime;
  const beside = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * 4, max: 30 * 4 }))
    .map(([change, quarters]) => Math.round(change / QUARTER) * QUARTER + quarters * QUARTER)
    .filter((at) => at < Date.parse("2032-01-01T00:00:00Z"));
  return fc.oneof(anyTime, beside);
}

/** Local date and time, counted as if it were UTC. */
export function wallClock(zone: string, millis: number): Date {
  let offset = 0;
  for (const segment of segmentsOf(zone)) {
    if (segment.from > millis) break;
    offset = segment.offset;
  }
  return new Date(millis + offset);
}

/** Steps of a quarter of an hour, in which every clock shows every edge of the windows and dates here. */
export function* quarters(from: number, days: number): Generator<number> {
  for (let at = from; at <= from + days * 24 * HOUR; at += QUARTER) yield at;
}
