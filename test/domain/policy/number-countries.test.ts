import fc from "fast-check";
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { countriesOf } from "../../../domain/policy/number-countries.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const byCode = Map.groupBy(getCountries(), (country) => getCountryCallingCode(country));
const shared = [...byCode].filter(([, countries]) => countries.length > 1);
const mobiles = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? []);

const digits = (length: number) =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((all) => all.join(""));

/** Random digits, and the real beginnings of mobile numbers with other ends. */
const numbersOfSharedCodes: fc.Arbitrary<PhoneNumber> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...shared.map(([code]) => code)), fc.integer({ min: 5, max: 11 }))
    .chain(([code, length]) => digits(length).map((rest): PhoneNumber => `+${code}${rest}`)),
  fc.tuple(digits(3), digits(7)).map(([area, rest]): PhoneNumber => `+1${area}${rest}`),
  fc
    .tuple(fc.constantFrom(...mobiles), fc.nat(4))
    .chain(([mobile, changed]) =>
      digits(changed).map((end) => `${mobile.slice(0, mobile.length - changed)}${end}` as PhoneNumber),
    ),
);

describe("the country of a number", PROPERTY_TIMEOUT, () => {
  it("is the one that libphonenumber reads", () => {
    const property = fc.property(numbersOfSharedCodes, (phoneNumber) => {
      const read = parsePhoneNumberFromString(phoneNumber, { extract: false });
      expect(countriesOf(phoneNumber).country).toBe(read?.country ?? null);
    });
    fc.assert(property, { numRuns: 5 * PROPERTY_RUNS });
  });

  it("is found for the mobile numbers of every country", () => {
    const found = mobiles.map((number) => countriesOf(number as PhoneNumber));
    expect(found.map(({ country }) => country)).toEqual(
      mobiles.map((number) => parsePhoneNumberFromString(number)?.country),
    );
    expect(new Set(found.flatMap(({ possible }) => possible)).size).toBeGreaterThan(220);
  });

  it("is each of the calling code's where the digits tell none", () => {
    expect(countriesOf("+70000000000")).toMatchObject({
      country: null,
      possible: ["RU", "KZ"] satisfies CountryCode[],
    });
  });

  it.each([
    "+80012345678",
    "+870773111632",
    "+883510000000000",
    "+881612345678",
    "+979123456789",
    "+999123456789",
  ] as const)("is none for %s, whose calling code is of no country", (phoneNumber) => {
    expect(countriesOf(phoneNumber)).toMatchObject({ country: null, possible: [] });
  });

  it("is none for +1 without a country, though the code has 25", () => {
    expect(countriesOf("+15550001111")).toMatchObject({ country: null, possible: [] });
    expect(countriesOf("+12133734253")).toEqual({ country: "US", possible: ["US"] });
  });
});
