import type { ImportedContact, RejectedContact, RejectedContacts } from "../../domain/campaign/events.ts";
import { isOfTheFuture } from "../../domain/policy/consent.ts";
import type { Consent } from "../../domain/policy/policy.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { ParsedPhoneNumber, PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

/** A contact as given in the body or the CSV row. */
export type ContactInput = {
  /** Its place in the body (or among the records of the file), for the report. */
  readonly index: number;
  /** Line of a CSV record's first character; absent for JSON. */
  readonly line?: number;
  /** As given, for the report. */
  readonly phoneNumber: string;
  /** The parsed number. */
  readonly number: ParsedPhoneNumber;
  readonly name: string | null;
  readonly customData: JsonObject;
  /** A known IANA zone. */
  readonly timezone: string | null;
  readonly externalId: string | null;
  /** Absent: none is given. */
  readonly consent?: Consent;
};

/** Repeated numbers: how many contacts repeat an earlier one, and the first 100 of them. */
export type DuplicateContacts = {
  readonly count: number;
  readonly items: readonly { readonly index: number; readonly phoneNumber: string }[];
};

export type ScreenedContacts = {
  /** Number of contacts that can be called. */
  readonly accepted: number;
  /**
   * Places of contacts with a valid number that are left out: their consent is of the future, their texts are
   * too long, or they repeat a number and repeats are skipped.
   */
  readonly leftOut: ReadonlySet<number>;
  readonly rejected: RejectedContacts;
  readonly duplicates: DuplicateContacts;
  readonly normalized: NormalizedNumbers;
};

/** Accepted numbers that were written differently in the file: how many, and the first 100 of them. */
export type NormalizedNumbers = {
  readonly count: number;
  readonly items: readonly { readonly line: number; readonly from: string; readonly to: PhoneNumber }[];
};

export type RefusedInAll = { readonly count: number; readonly duplicates: DuplicateContacts };

export type ScreeningRequest = {
  /**
   * Iterated more than once; a long list may be read anew each time, so that it is never
   * completely in memory.
   */
  readonly contacts: Iterable<ContactInput>;
  /**
   * Rows that the CSV reader refused (only the first of them when `refusedInAll` has more), reported
   * with those refused here. Iterated once.
   */
  readonly refusedRows: Iterable<RejectedContact>;
  /**
   * Number of rows that the CSV reader refused, and of repeated numbers among them; absent: those of
   * `refusedRows`, none repeated.
   */
  readonly refusedInAll?: RefusedInAll;
  /** Places of a file that could not be read as characters; absent: 0. */
  readonly badCharacters?: number;
  /** Keeps the first contact of each number and rejects the others as `duplicate`. */
  readonly skipDuplicates: boolean;
  /**
   * When the request came first, so that its repeat accepts the same contacts: no consent may be of a later
   * time. Absent: now.
   */
  readonly givenAt?: Instant;
  /** Reports every rejected contact, not only the first 100; absent: false. */
  readonly reportsAll?: boolean;
};

/** Whether the texts for a contact stay within their limits. */
export type TextCheck = (contact: ContactInput) => boolean;

/** For a file, whose accepted contacts are counted during screening. */
export const TOO_MANY_CONTACTS = "Holds more than 10,000 contacts";
/** The most rejected, and the most repeated, contacts in a report. */
export const REPORTED = 100;
/** So many contacts, or refused rows, are gone through before other requests get a turn of the event loop. */
const STRETCH = 1_000;

/**
 * Finds contacts that cannot be called (seed, rule 4) and, with `fits`, those whose texts are too long;
 * reports repeats. `accept` gets each contact that can be called.
 */
export async function screenContacts(
  deps: { readonly clock: Clock },
  request: ScreeningRequest,
  fits: TextCheck,
  accept: (contact: ContactInput) => void,
): Promise<ScreenedContacts> {
  const rejected: RejectedContact[] = [];
  const duplicates: { readonly index: number; readonly phoneNumber: string }[] = [];
  const leftOut = new Set<number>();
  const seen = new Set<PhoneNumber>();
  const items: NormalizedNumbers["items"][number][] = [];
  const normalized = { count: 0, items };
  let accepted = 0;
  let looked = 0;
  const turn = async (): Promise<void> => {
    looked += 1;
    if (looked % STRETCH === 0) await deps.clock.sleep(0);
  };
  const leaveOut = (contact: ContactInput, reason: string): void => {
    leftOut.add(contact.index);
    rejected.push(rejection(contact, reason));
  };

  for (const row of request.refusedRows) {
    await turn();
    rejected.push(row);
  }
  const ofFile = rejected.length;
  const { givenAt = deps.clock.now() } = request;
  for (const contact of request.contacts) {
    await turn();
    const { index, phoneNumber, number } = contact;
    if (!number.ok) {
      rejected.push(rejection(contact, number.reason));
      continue;
    }
    const isTooEarly = contact.consent !== undefined && isOfTheFuture(contact.consent, givenAt);
    if (isTooEarly || !fits(contact)) {
      leaveOut(contact, isTooEarly ? "consent_in_future" : "text_too_long");
      continue;
    }
    const repeated = seen.has(number.value);
    if (repeated) duplicates.push({ index, phoneNumber });
    if (repeated && request.skipDuplicates) {
      leaveOut(contact, "duplicate");
      continue;
    }
    seen.add(number.value);
    accepted += 1;
    accept(contact);
    if (number.value === phoneNumber) continue;
    normalized.count += 1;
    if (items.length < REPORTED) items.push({ line: contact.line ?? 0, from: phoneNumber, to: number.value });
  }

  return { accepted, leftOut, ...reported(request, ofFile, rejected, duplicates), normalized };
}

/** With what a file was refused for before its contacts were looked at: the first `ofFile` of `rejected`. */
function reported(
  request: ScreeningRequest,
  ofFile: number,
  rejected: RejectedContact[],
  duplicates: readonly { readonly index: number; readonly phoneNumber: string }[],
): Pick<ScreenedContacts, "rejected" | "duplicates"> {
  const none = { count: ofFile, duplicates: { count: 0, items: [] } };
  const refused = request.refusedInAll ?? none;
  rejected.sort((a, b) => a.index - b.index);
  return {
    rejected: {
      count: rejected.length - ofFile + refused.count,
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

/** The contacts that can be called, in order, each with its own id. */
export function* acceptedContacts(
  { ids }: { readonly ids: Ids },
  { contacts }: ScreeningRequest,
  { leftOut }: ScreenedContacts,
): Generator<ImportedContact> {
  for (const { index, number, name, customData, timezone, externalId, consent } of contacts) {
    if (!number.ok || leftOut.has(index)) continue;
    const contactId = ids.next("ctc");
    const contact = { contactId, phoneNumber: number.value, name, customData, timezone, externalId };
    yield consent === undefined ? contact : { ...contact, consent };
  }
}

function rejection(contact: ContactInput, reason: string): RejectedContact {
  const { index, phoneNumber, line } = contact;
  return line === undefined ? { index, phoneNumber, reason } : { index, phoneNumber, reason, line };
}
