import type { ImportedContact, RejectedContact, RejectedContacts } from "../../domain/campaign/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { ParsedPhoneNumber, PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

/** A contact as the body or the CSV row gave it. */
export type ContactInput = {
  /** Its place in the body (or among the file's records), for the report. */
  readonly index: number;
  /** Line of a CSV record's first character; absent for JSON. */
  readonly line?: number;
  /** As it was given, for the report. */
  readonly phoneNumber: string;
  /** What it was parsed to. */
  readonly number: ParsedPhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject;
  /** A known IANA zone. */
  readonly timezone: string | null;
  readonly externalId: string | null;
};

/** Numbers that stand more than once: how many contacts repeat an earlier one, and the first 100 of them. */
export type DuplicateContacts = {
  readonly count: number;
  readonly items: readonly { readonly index: number; readonly phoneNumber: string }[];
};

export type ScreenedContacts = {
  /** How many can be called. */
  readonly accepted: number;
  /** Places of those with a number that are not called all the same: their texts are too long, or they repeat a number where repeats are skipped. */
  readonly leftOut: ReadonlySet<number>;
  readonly rejected: RejectedContacts;
  readonly duplicates: DuplicateContacts;
  readonly normalized: NormalizedNumbers;
};

/** Accepted numbers that stood otherwise in the file: how many, and the first 100 of them. */
export type NormalizedNumbers = {
  readonly count: number;
  readonly items: readonly { readonly line: number; readonly from: string; readonly to: PhoneNumber }[];
};

export type RefusedInAll = { readonly count: number; readonly duplicates: DuplicateContacts };

export type ScreeningRequest = {
  /** Walked over more than once: a long list may be read anew each time, so that it is never whole in memory. */
  readonly contacts: Iterable<ContactInput>;
  /** Rows that the CSV reader refused (the first of them, when `refusedInAll` says that there are more); reported with those refused here. */
  readonly refusedRows: readonly RejectedContact[];
  /** How many rows the CSV reader refused, and the repeated numbers among them; absent: those of `refusedRows`, none repeated. */
  readonly refusedInAll?: RefusedInAll;
  /** Keeps the first of each number and rejects the others as `duplicate`. */
  readonly skipDuplicates: boolean;
  /** Every rejected one is named, not only the first 100; absent: false. */
  readonly reportsAll?: boolean;
};

/** Whether what is said to a contact stays within its limits. */
export type TextCheck = (contact: ContactInput) => boolean;

/** Of a file, whose accepted contacts are counted when it is screened. */
export const TOO_MANY_CONTACTS = "Holds more than 10,000 contacts";
/** Of rejected and of repeated ones. */
export const REPORTED = 100;
/** Contacts between two breaths, so that other requests are not held up. */
const STRETCH = 1_000;

/**
 * Finds what cannot be called (seed, rule 4) and, by `fits`, whose texts would be too long, and tells repeats. `accept` sees each contact that can be
 * called.
 */
export async function screenContacts(
  deps: { readonly clock: Clock },
  request: ScreeningRequest,
  fits: TextCheck,
  accept: (contact: ContactInput) => void,
): Promise<ScreenedContacts> {
  const rejected: RejectedContact[] = [...request.refusedRows];
  const duplicates: { readonly index: number; readonly phoneNumber: string }[] = [];
  const leftOut = new Set<number>();
  const seen = new Set<PhoneNumber>();
  const normalized: NormalizedNumbers["items"][number][] = [];
  let normalizedCount = 0;
  let accepted = 0;
  let looked = 0;

  for (const contact of request.contacts) {
    looked += 1;
    if (looked % STRETCH === 0) await deps.clock.sleep(0);
    const { index, phoneNumber, number } = contact;
    if (!number.ok) {
      rejected.push(rejection(contact, number.reason));
      continue;
    }
    if (!fits(contact)) {
      leftOut.add(index);
      rejected.push(rejection(contact, "text_too_long"));
      continue;
    }
    const repeated = seen.has(number.value);
    if (repeated) duplicates.push({ index, phoneNumber });
    if (repeated && request.skipDuplicates) {
      leftOut.add(index);
      rejected.push(rejection(contact, "duplicate"));
      continue;
    }
    seen.add(number.value);
    accepted += 1;
    accept(contact);
    if (number.value === phoneNumber) continue;
    normalizedCount += 1;
    if (normalized.length < REPORTED)
      normalized.push({ line: contact.line ?? 0, from: phoneNumber, to: number.value });
  }

  return {
    accepted,
    leftOut,
    ...reported(request, rejected, duplicates),
    normalized: { count: normalizedCount, items: normalized },
  };
}

/** With what a file was refused for before its contacts were looked at. */
function reported(
  request: ScreeningRequest,
  rejected: RejectedContact[],
  duplicates: readonly { readonly index: number; readonly phoneNumber: string }[],
): Pick<ScreenedContacts, "rejected" | "duplicates"> {
  const none = { count: request.refusedRows.length, duplicates: { count: 0, items: [] } };
  const refused = request.refusedInAll ?? none;
  rejected.sort((a, b) => a.index - b.index);
  return {
    rejected: {
      count: rejected.length - request.refusedRows.length + refused.count,
      items: request.reportsAll === true ? rejected : rejected.slice(0, REPORTED),
    },
    duplicates: {
      count: refused.duplicates.count + duplicates.length,
      items: [...refused.duplicates.items, ...duplicates]
        .sort((a, b) => a.index - b.index)
        .slice(0, REPORTED),
    },
  };
}

/** Those that can be called, in their order, each with an id of its own. */
export function* acceptedContacts(
  { ids }: { readonly ids: Ids },
  { contacts }: ScreeningRequest,
  { leftOut }: ScreenedContacts,
): Generator<ImportedContact> {
  for (const { index, number, name, customData, timezone, externalId } of contacts) {
    if (!number.ok || leftOut.has(index)) continue;
    const contactId = ids.next("ctc");
    yield { contactId, phoneNumber: number.value, name, customData, timezone, externalId };
  }
}

function rejection(contact: ContactInput, reason: string): RejectedContact {
  const { index, phoneNumber, line } = contact;
  return line === undefined ? { index, phoneNumber, reason } : { index, phoneNumber, reason, line };
}
