import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { PhoneNumber } from "../shared/phone-number.ts";

/** Where a number may be at home. */
export type NumberCountries = {
  /** ISO 3166-1; null: its calling code is of several countries or of none, and the digits tell none of them. */
  readonly country: string | null;
  /**
   * `country` alone, or else every country of the calling code; empty: a code of no country (+800, +870, …), and
   * +1, whose countries are spread from Guam to Bermuda.
   */
  readonly possible: readonly string[];
};

/** The longest calling code. */
const CALLING_CODE_LENGTH = 3;
const OF_NO_COUNTRY: NumberCountries = { country: null, possible: [] };

/** Its countries have 21 hours between them: what holds in all of them says nothing. */
const NORTH_AMERICA = "1";

/** By calling code. No code begins with another one. */
const byCallingCode = new Map<string, NumberCountries>();
const byCountry = new Map<string, NumberCountries>();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  const possible = [...(byCallingCode.get(code)?.possible ?? []), country];
  byCallingCode.set(code, { country: possible.length === 1 ? country : null, possible });
  byCountry.set(country, { country, possible: [country] });
}

const ofNorthAmerica = byCallingCode.get(NORTH_AMERICA);

/** Reading a number takes 80 µs. Enough for the contacts of the campaigns that dial at one time. */
const REMEMBERED_NUMBERS = 50_000;
const remembered = new Map<PhoneNumber, CountryCode | null>();

/** The country of a number, as libphonenumber tells it; never a part of a country, because numbers are ported. */
export function countriesOf(phoneNumber: PhoneNumber): NumberCountries {
  const ofCode = ofCallingCode(phoneNumber);
  if (ofCode === undefined) return OF_NO_COUNTRY;
  if (ofCode.country !== null) return ofCode;
  return byCountry.get(countryOf(phoneNumber) ?? "") ?? (ofCode === ofNorthAmerica ? OF_NO_COUNTRY : ofCode);
}

function ofCallingCode(phoneNumber: PhoneNumber): NumberCountries | undefined {
  for (let length = 1; length <= CALLING_CODE_LENGTH; length += 1) {
    const found = byCallingCode.get(phoneNumber.slice(1, 1 + length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function countryOf(phoneNumber: PhoneNumber): CountryCode | null {
  const known = remembered.get(phoneNumber);
  if (known !== undefined) return known;
  const country = parsePhoneNumberFromString(phoneNumber, { extract: false })?.country ?? null;
  if (remembered.size >= REMEMBERED_NUMBERS) remembered.clear();
  remembered.set(phoneNumber, country);
  return country;
}
