import type { ImportedContact, RejectedContact, RejectedContacts } from "../../domain/campaign/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

/** A contact as the body or the CSV row gave it. */
export type ContactInput = {
  /** Its place in the body (or among the file's records), for the report. */
  readonly index: number;
  /** Line of a CSV record's first character; absent for JSON. */
  readonly line?: number;
  readonly phoneNumber: string;
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
  readonly accepted: readonly ImportedContact[];
  readonly rejected: RejectedContacts;
  readonly duplicates: DuplicateContacts;
};

export type ScreeningRequest = {
  readonly contacts: readonly ContactInput[];
  readonly refusedRows: readonly RejectedContact[];
  readonly skipDuplicates: boolean;
};

const REPORTED = 100;
/** Contacts between two breaths, so that other requests are not held up. */
const STRETCH = 250;

/** Filters what cannot be called (seed, rule 4) and tells repeats; order is kept. */
export async function screenContacts(
  deps: { readonly clock: Clock; readonly ids: Ids },
  request: ScreeningRequest,
): Promise<ScreenedContacts> {
  const accepted: ImportedContact[] = [];
  const rejected: RejectedContact[] = [...request.refusedRows];
  const duplicates: { readonly index: number; readonly phoneNumber: string }[] = [];
  const seen = new Set<PhoneNumber>();

  for (const [place, contact] of request.contacts.entries()) {
    if (place % STRETCH === STRETCH - 1) await deps.clock.sleep(0);
    const parsed = parsePhoneNumber(contact.phoneNumber);
    if (!parsed.ok) {
      rejected.push(rejection(contact, parsed.reason));
      continue;
    }
    const repeated = seen.has(parsed.value);
    if (repeated) duplicates.push({ index: contact.index, phoneNumber: contact.phoneNumber });
    if (repeated && request.skipDuplicates) {
      rejected.push(rejection(contact, "duplicate"));
      continue;
    }
    seen.add(parsed.value);
    const { name, customData, timezone, externalId } = contact;
    accepted.push({
      contactId: deps.ids.next("ctc"),
      phoneNumber: parsed.value,
      name,
      customData,
      timezone,
      externalId,
    });
  }

  rejected.sort((a, b) => a.index - b.index);
  return {
    accepted,
    rejected: { count: rejected.length, items: rejected.slice(0, REPORTED) },
    duplicates: { count: duplicates.length, items: duplicates.slice(0, REPORTED) },
  };
}

function rejection(contact: ContactInput, reason: string): RejectedContact {
  const { index, phoneNumber, line } = contact;
  return line === undefined ? { index, phoneNumber, reason } : { index, phoneNumber, reason, line };
}
