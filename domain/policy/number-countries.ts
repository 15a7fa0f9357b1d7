import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { PhoneNumber } from "../shared/phone-number.ts";

/** Where a number may be at home. */
export type NumberCountries = {
  /** ISO 3166-1; null: its calling code is of several countries, and the digits tell none, or of none. */
  readonly country: string | null;
  /**
   * `country` alone, else every country of the calling code; empty: a code of no country (+800, +870, …),
   * and +1, whose countries are spread from Guam to Bermuda.
   */
  readonly possible: readonly string[];
};

/** The longest calling code. */
const CALLING_CODE_LENGTH = 3;
/** Its countries have 21 hours between them: what holds in all of them says nothing. */
const NORTH_AMERICA = "1";
const OF_NO_COUNTRY: NumberCountries = { country: null, possible: [] };

/** What the library's own types leave out. What a plan does not have is undefined, empty or 0. */
type Numbering = {
  /** The main one first, in which the plan of the code stands. */
  getCountryCodesForCallingCode(code: string): readonly CountryCode[];
  selectNumberingPlan(country: CountryCode): void;
  readonly numberingPlan: Plan;
};
type Plan = {
  leadingDigits(): string | undefined | 0;
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined | 0;
  type(name: string): { pattern(): string; possibleLengths(): readonly number[] | undefined | 0 } | undefined;
};

const TYPES = [
  "FIXED_LINE",
  "MOBILE",
  "PREMIUM_RATE",
  "TOLL_FREE",
  "SHARED_COST",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
];

type OfCallingCode = NumberCountries & { readonly tell: (phoneNumber: PhoneNumber) => CountryCode | null };

const numbering = new Metadata() as unknown as Numbering;
const byCountry = new Map<CountryCode, NumberCountries>();
/** No code begins with another one. */
const byCallingCode = new Map<string, OfCallingCode>();

for (const country of getCountries()) {
  byCountry.set(country, { country, possible: [country] });
  const code = getCountryCallingCode(country);
  const possible = numbering.getCountryCodesForCallingCode(code);
  const [only, ...others] = possible;
  if (only !== undefined && others.length === 0)
    byCallingCode.set(code, { country: only, possible, tell: () => only });
  else if (!byCallingCode.has(code))
    byCallingCode.set(code, {
      country: null,
      possible: code === NORTH_AMERICA ? [] : possible,
      tell: byNumberingPlans(code, possible),
    });
}

/** The country of a number, as libphonenumber tells it; never a part of one, because numbers are ported. */
export function countriesOf(phoneNumber: PhoneNumber): NumberCountries {
  const ofCode = ofCallingCode(phoneNumber);
  if (ofCode === undefined) return OF_NO_COUNTRY;
  const country = ofCode.tell(phoneNumber);
  return (country === null ? undefined : byCountry.get(country)) ?? ofCode;
}

function ofCallingCode(phoneNumber: PhoneNumber): OfCallingCode | undefined {
  for (let length = 1; length <= CALLING_CODE_LENGTH; length += 1) {
    const found = byCallingCode.get(phoneNumber.slice(1, 1 + length));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reading a whole number takes the library 80 µs, too much for each contact of a campaign. What it compares
 * at the end, the numbering plans in their order, takes some 1 µs; a test holds both to the same answer.
 */
function byNumberingPlans(code: string, possible: readonly CountryCode[]): OfCallingCode["tell"] {
  const plans = possible.map((country) => {
    numbering.selectNumberingPlan(country);
    return {
      country,
      prefix: numbering.numberingPlan.nationalPrefixForParsing(),
      has: judgeBy(numbering.numberingPlan),
    };
  });
  /** A prefix, as the 1 of +1 1 212 …, is left out before anything is compared. */
  const mayHavePrefix = new RegExp(`^(?:${plans[0]?.prefix || "(?!)"})`);
  return (phoneNumber) => {
    const national = phoneNumber.slice(1 + code.length);
    if (mayHavePrefix.test(national))
      return parsePhoneNumberFromString(phoneNumber, { extract: false })?.country ?? null;
    return plans.find(({ has }) => has(national))?.country ?? null;
  };
}

function judgeBy(plan: Plan): (national: string) => boolean {
  const leadingDigits = plan.leadingDigits();
  if (leadingDigits) {
    const begins = new RegExp(`^(?:${leadingDigits})`);
    return (national) => begins.test(national);
  }
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    if (!type?.pattern()) return [];
    return [{ lengths: type.possibleLengths(), whole: whole(type.pattern()) }];
  });
  const any = whole(plan.nationalNumberPattern());
  return (national) =>
    any.test(national) &&
    types.some(
      ({ lengths, whole: ofType }) =>
        (!lengths || lengths.includes(national.length)) && ofType.test(national),
    );
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
