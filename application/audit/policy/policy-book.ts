import { isCallEnd } from "../../../domain/call/end-reason.ts";
import type { CallCompleted, CallEvent, CallFailed, CallRequested } from "../../../domain/call/events.ts";
import type {
  CampaignEvent,
  CampaignPaused,
  ContactDialed,
  ContactHeld,
  ContactSkipped,
} from "../../../domain/campaign/events.ts";
import { isCampaignEvent, isSuppressionListEvent } from "../../../domain/event-kinds.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { PolicyChanged } from "../../../domain/policy/events.ts";
import type {
  ConsentTimes,
  EligibilityCheck,
  EligibilityEvidence,
  PolicyEvidence,
} from "../../../domain/policy/policy.ts";
import type { CallId, CampaignId, ContactId, ImportId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { SuppressionListEvent } from "../../../domain/suppression/events.ts";
import type { AuditedEvent, Report } from "../broken-rule.ts";
import type { LocalTimes } from "../local-time.ts";

/** An event and its place in the history: who was first is a matter of the log, not of clocks. */
export type Placed<Event extends DomainEvent = DomainEvent> = AuditedEvent<Event> & {
  readonly place: number;
};

/** A grant that became a dial: of a contact, or of a single call. */
export type PolicyDial = {
  readonly dial: Placed<ContactDialed | CallRequested>;
  readonly callId: CallId;
  readonly campaignId: CampaignId | null;
  readonly phoneNumber: PhoneNumber;
  readonly contactId: ContactId | null;
  /** As given for the contact or the single call; undefined: not known here, the contact is erased. */
  readonly timezone: string | null | undefined;
  /** As given; null: none; undefined: not known here. */
  readonly consent: ConsentTimes | null | undefined;
  readonly evidence: PolicyEvidence | null;
  /** What the owner's address answered, under a policy or without one; null: it was not asked. */
  readonly answer: EligibilityEvidence | null;
  /** When it was judged; without evidence: when it was written, up to `LONGEST_WRITING_MILLIS` later. */
  readonly millis: number;
  began: Placed<CallEvent> | null;
  end: Placed<CallCompleted | CallFailed> | null;
};

/** From the admission to the event that follows from it. */
export const LONGEST_WRITING_MILLIS = 60_000;
/** When a slot is freed whose call never began, and that of a call that nobody can read; after its dialBy. */
const NEVER_BEGAN_MILLIS = 25_000;
const GIVEN_UP_MILLIS = 3 * 3_600_000;

export type PolicyContact = {
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  readonly consent: ConsentTimes | null;
  readonly importId: ImportId;
};

/** A pause by the policy, and whom the campaign had still to call then. */
export type PolicyPause = { readonly pause: Placed<CampaignPaused>; readonly left: readonly ContactId[] };

/** What the rules of a policy look at, in log order. */
export type PolicyBook = {
  readonly versions: Placed<PolicyChanged>[];
  readonly lists: Placed<SuppressionListEvent>[];
  /** Whom the campaign asks in place of the policy's address, from that place on; null: nobody. */
  readonly addresses: { readonly place: number; readonly check: EligibilityCheck | null }[];
  readonly contacts: Map<ContactId, PolicyContact>;
  /** Of sealed imports, those who are still to be called and in no call. */
  readonly left: Set<ContactId>;
  readonly pauses: PolicyPause[];
  readonly calls: Map<CallId, PolicyDial>;
  readonly numbers: Map<PhoneNumber, PolicyDial[]>;
  readonly holds: Placed<ContactHeld>[];
  readonly skips: Placed<ContactSkipped>[];
};

/** `campaignId`: whose contacts and holds are judged; null: those of single calls only. */
export function readPolicies(history: Iterable<AuditedEvent>, campaignId: CampaignId | null): PolicyBook {
  const book: PolicyBook = {
    versions: [],
    lists: [],
    addresses: [],
    contacts: new Map(),
    left: new Set(),
    pauses: [],
    calls: new Map(),
    numbers: new Map(),
    holds: [],
    skips: [],
  };
  let place = 0;
  for (const recorded of history) {
    const { event } = recorded;
    place += 1;
    if (event.type === "PolicyChanged") book.versions.push({ ...recorded, event, place });
    else if (isSuppressionListEvent(event)) book.lists.push({ ...recorded, event, place });
    else if (event.type === "ContactDialed") readDial(book, { ...recorded, event, place });
    else if (isCampaignEvent(event)) {
      if (event.data.campaignId === campaignId) readOwn(book, { ...recorded, event, place });
    } else readCall(book, { ...recorded, event, place });
  }
  return book;
}

function readOwn(book: PolicyBook, recorded: Placed<CampaignEvent>): void {
  const { event, place } = recorded;
  switch (event.type) {
    case "ContactsImported":
      for (const { contactId, phoneNumber, timezone, consent = null } of event.data.contacts)
        book.contacts.set(contactId, { phoneNumber, timezone, consent, importId: event.data.importId });
      return;
    case "CampaignCreated":
    case "ContactsAdded":
      for (const [contactId, { importId }] of book.contacts)
        if (importId === event.data.importId) book.left.add(contactId);
      if (event.type === "CampaignCreated")
        book.addresses.push({ place, check: event.data.settings.eligibility ?? null });
      return;
    case "CampaignSettingsChanged": {
      const { eligibility } = event.data.changes;
      if (eligibility !== undefined) book.addresses.push({ place, check: eligibility });
      return;
    }
    case "CampaignPaused":
      book.pauses.push({ pause: { ...recorded, event }, left: [...book.left] });
      return;
    case "ContactAttemptFailed":
      if (event.data.retryAt !== null) book.left.add(event.data.contactId);
      return;
    case "ContactCallbackScheduled":
      book.left.add(event.data.contactId);
      return;
    case "ContactHeld":
      book.holds.push({ ...recorded, event });
      return;
    case "ContactSkipped":
      book.left.delete(event.data.contactId);
      book.skips.push({ ...recorded, event });
      return;
    default:
      return;
  }
}

function readDial(book: PolicyBook, dial: Placed<ContactDialed>): void {
  const { callId, campaignId, contactId, phoneNumber, evidence, at } = dial.event.data;
  const { policyVersion, judgedAt, checks, zones, eligibility = null } = evidence;
  const isJudged = policyVersion !== undefined && judgedAt !== undefined;
  const contact = book.contacts.get(contactId);
  book.left.delete(contactId);
  noteDial(book, {
    dial,
    callId,
    campaignId,
    contactId,
    phoneNumber,
    timezone: contact?.timezone,
    consent: contact?.consent,
    evidence: isJudged ? { policyVersion, judgedAt, checks: checks ?? [], zones: zones ?? null } : null,
    answer: eligibility,
    millis: millisOf(judgedAt ?? at),
    began: null,
    end: null,
  });
}

function readCall(book: PolicyBook, recorded: Placed): void {
  const { event } = recorded;
  if (event.type === "CallRequested" && event.data.contactId === null) {
    const { callId, to, evidence = null, at } = event.data;
    noteDial(book, {
      dial: { ...recorded, event },
      callId,
      campaignId: null,
      contactId: null,
      phoneNumber: to,
      timezone: event.data.timezone ?? null,
      consent: event.data.consent ?? null,
      evidence,
      answer: evidence?.eligibility ?? null,
      millis: millisOf(evidence?.judgedAt ?? at),
      began: null,
      end: null,
    });
    return;
  }
  if (event.type !== "CallDialingBegan" && !isCallEnd(event)) return;
  const call = book.calls.get(event.data.callId);
  if (call === undefined) return;
  if (event.type === "CallDialingBegan") call.began ??= { ...recorded, event };
  else call.end ??= { ...recorded, event };
}

function noteDial({ calls, numbers }: PolicyBook, dial: PolicyDial): void {
  if (calls.has(dial.callId)) return;
  calls.set(dial.callId, dial);
  const others = numbers.get(dial.phoneNumber) ?? [];
  numbers.set(dial.phoneNumber, others);
  others.push(dial);
}

export function atMillis({ event }: { readonly event: { readonly data: { readonly at: Instant } } }): number {
  return millisOf(event.data.at);
}

/** Whether its slot was open at that place of the log, and at that time. */
export function isLive({ dial, began, end }: PolicyDial, place: number, millis: number): boolean {
  if (end !== null && end.place < place) return false;
  const longest = began !== null && began.place < place ? GIVEN_UP_MILLIS : NEVER_BEGAN_MILLIS;
  return millis < millisOf(dial.event.data.dialBy) + longest;
}

/** Whether it certainly counts towards a cap: one that never rang was given back, sooner or later. */
export function isDialled({ began, end }: PolicyDial): boolean {
  if (end === null) return true;
  return began !== null && !(end.event.type === "CallFailed" && end.event.data.endReason === "not_placed");
}

/** When it counts at the earliest. */
export function earliestMillis({ evidence, millis }: PolicyDial): number {
  return evidence === null ? millis - LONGEST_WRITING_MILLIS : millis;
}

export type PolicyAudit = {
  readonly book: PolicyBook;
  readonly times: LocalTimes;
  readonly report: Report;
};
