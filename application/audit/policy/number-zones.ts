import { countriesOf } from "../../../domain/policy/number-countries.ts";
import type { ZoneEvidence } from "../../../domain/policy/policy.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { ZONE_DATA, ZONES_OF_COUNTRIES } from "../../../domain/shared/zones-of-countries.ts";

/** What the zones of a person are computed from. */
export type ZoneSource = {
  /** Own zone of the contact; null: none; undefined: not known here. */
  readonly timezone: string | null | undefined;
  /** null: there is no evidence, or no rule of it asked for a zone. */
  readonly evidence: ZoneEvidence | null;
};

export type Person = {
  /** null: nobody knows them, or `isKnown` is false. */
  readonly zones: readonly string[] | null;
  readonly country: string | null;
  /** false: the evidence is by another table of zones, or by something that is not known here. */
  readonly isKnown: boolean;
};

const UNKNOWN: Person = { zones: null, country: null, isKnown: false };

/** The own zone of a contact, else every zone of every country that its number can be of. */
export function personOf(phoneNumber: PhoneNumber, { timezone, evidence }: ZoneSource): Person {
  if (timezone !== null && timezone !== undefined) return { zones: [timezone], country: null, isKnown: true };
  const isOurs = evidence === null || evidence.data.split("/")[0] === ZONE_DATA;
  const { country, possible } = countriesOf(phoneNumber);
  if (!isOurs || (timezone === undefined && country !== (evidence?.country ?? null))) return UNKNOWN;
  const zones = possible.flatMap((each) => (ZONES_OF_COUNTRIES[each] ?? "").split(" ")).filter(Boolean);
  return { zones: zones.length === 0 ? null : [...new Set(zones)], country, isKnown: true };
}
