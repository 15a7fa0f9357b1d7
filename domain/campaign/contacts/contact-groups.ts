import { zonesConcerned } from "../../policy/callable-hours.ts";
import type { PersonZones } from "../../policy/callable-times.ts";
import type { PhoneNumber } from "../../shared/phone-number.ts";

/**
 * Contacts whose times count alike: the campaign's window in one zone, the owner's policy in the same ones.
 */
export type ContactGroup = {
  /** As given for the contact, where the campaign's window counts; null: the campaign's own zone. */
  readonly timezone: string | null;
  /** Where the person may be, by which the owner's policy judges. */
  readonly people: PersonZones;
};

export type ContactGroups = {
  readonly list: ContactGroup[];
  /** Index into the list, by the contact's zone or, without one, by the zones of its number. */
  readonly places: Map<string | readonly string[], number>;
};

export function createContactGroups(): ContactGroups {
  return { list: [], places: new Map() };
}

export function personOfGroup({ list }: ContactGroups, group: number): PersonZones {
  return list[group]?.people ?? "zone_unknown";
}

/** Index into the list; a group that is not in it is added. */
export function groupOfPerson(
  { list, places }: ContactGroups,
  phoneNumber: PhoneNumber,
  timezone: string | null,
): number {
  const people = timezone === null ? zonesConcerned(phoneNumber, null) : null;
  const key = people ?? `own ${timezone}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, list.length);
  return list.push({ timezone, people: people ?? zonesConcerned(phoneNumber, timezone) }) - 1;
}

export type CountedGroup = ContactGroup & { readonly contacts: number };

/** `of`: of each contact, its index. */
export function countedGroups({ list }: ContactGroups, of: Iterable<number>): readonly CountedGroup[] {
  const counts = list.map(() => 0);
  for (const index of of) counts[index] = (counts[index] ?? 0) + 1;
  return list.map((group, index) => ({ ...group, contacts: counts[index] ?? 0 }));
}
