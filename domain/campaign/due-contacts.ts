import { type CallableTimes, closesAt, isOpen, opensAt } from "../policy/callable-times.ts";
import type { ConsentTimes, PolicyEvidence, PolicyInForce } from "../policy/policy.ts";
import type { CallId, ContactId } from "../shared/ids.ts";
import { earliest, type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import {
  attemptsOf,
  chunkRevisionOf,
  consentOf,
  digitsOf,
  dueMillisOf,
  groupOf,
  idOf,
  numberOf,
} from "./contacts/contact-row.ts";
import { contactCount } from "./contacts/contact-table.ts";
import {
  type DueQueue,
  dueRowsInOrder,
  inOrder,
  isCallWaitedFor,
  queuesToCall,
} from "./contacts/due-queues.ts";
import type { PolicyMoment } from "./contacts/holds.ts";
import type { ContactHeld, DialEvidence, HoldRule } from "./events.ts";
import { groupsToCall, judgedOnce, timesOf, zoneOfGroup } from "./groups.ts";
import type { CampaignState } from "./state.ts";

/** When the contact may be called, and where its times count. */
export function timesOfContact(
  state: CampaignState,
  row: number,
  policy: PolicyInForce | null,
): CallableTimes {
  return timesOf(state, groupOf(state.contacts, row), policy);
}

/**
 * A contact that may be dialled now. Its texts are in the event at `chunkRevision` of the campaign's stream.
 */
export type DueContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  /** Where the campaign's window counts. */
  readonly timezone: string;
  /** As given for the contact; null: none. */
  readonly ownTimezone: string | null;
  /** As given for the contact; null: none. */
  readonly consent: ConsentTimes | null;
  /** Closing of the campaign's window or of the policy's hours, whichever comes first. */
  readonly windowClosesAt: Instant | null;
  /** Number of the next one, from 1. */
  readonly attempt: number;
  readonly chunkRevision: number;
};

/** A slot granted for a due contact, with the evidence from admission. */
export type GrantedDial = {
  readonly contactId: ContactId;
  readonly callId: CallId;
  readonly dialAt: Instant;
  readonly dialBy: Instant;
  readonly evidence: Pick<DialEvidence, "activeCalls" | "effectiveMaxConcurrentCalls" | "availableCredits"> &
    Partial<PolicyEvidence>;
};

/** A rule of the owner's policy that refused the dial of a contact. */
export type ContactHold = Omit<ContactHeld["data"], "campaignId" | "at">;

/** Whom the runner does not ask for at the moment, although nothing in the log keeps them back. */
export type LeftOut = (contactId: ContactId) => boolean;

const NOBODY: LeftOut = () => false;

/**
 * Whom to call next, at most `limit`: first callbacks by due time, then contacts that were never called, in
 * the order of import, then retries by due time. Contacts outside their window or the policy's hours are left
 * out, and so are those whom the policy holds until later, and numbers in a call of this campaign or held for
 * another's callback. No number comes twice. However many wait or are held, k of them take O(k log n), and
 * each one left out by the runner is passed over.
 */
export function dueContacts(
  state: CampaignState,
  now: Instant,
  limit: number,
  policy: PolicyInForce | null,
  leftOut = NOBODY,
): readonly DueContact[] {
  return state.status === "RUNNING" ? firstDue(state, now, { limit, policy, leftOut }) : [];
}

/** Whether `dueContacts` has somebody when the campaign goes on. */
export function isSomebodyDue(
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
  leftOut: LeftOut,
): boolean {
  return firstDue(state, now, { limit: 1, policy, leftOut }).length > 0;
}

/**
 * Whom the address may be asked about that did not answer: as `dueContacts`, also while the campaign is
 * paused, and also those who are held because of it.
 */
export function contactsToAsk(
  state: CampaignState,
  now: Instant,
  limit: number,
  policy: PolicyInForce | null,
): readonly DueContact[] {
  return firstDue(state, now, { limit, policy, leftOut: NOBODY, but: "eligibility_unavailable" });
}

type WhoIsDue = {
  readonly limit: number;
  readonly policy: PolicyInForce | null;
  readonly leftOut: LeftOut;
  readonly but?: HoldRule;
};

function firstDue(
  state: CampaignState,
  now: Instant,
  { limit, policy, leftOut, ...besides }: WhoIsDue,
): readonly DueContact[] {
  const closings = judgedOnce((group) => closesAt(timesOf(state, group, policy), now));
  const due: DueContact[] = [];
  const taken = new Set<PhoneNumber>();
  const groups = openGroups(state, policy, now);
  for (const row of dueRowsInOrder(state.contacts, groups, { ...momentOf(now, policy), ...besides })) {
    if (due.length >= limit) break;
    const contact = contactAt(state, row, closings);
    if (contact === null || taken.has(contact.phoneNumber) || state.liveNumbers.has(contact.phoneNumber))
      continue;
    if (leftOut(contact.contactId)) continue;
    taken.add(contact.phoneNumber);
    due.push(contact);
  }
  return due;
}

export function momentOf(now: Instant, policy: PolicyInForce | null): PolicyMoment {
  return { millis: millisOf(now), policyVersion: policy?.version ?? 0 };
}

/**
 * How many contacts the rules known here would allow to dial now: those of `dueContacts` without
 * a limit, also while paused. Asked each second; sorting the numbers of 10,000 contacts takes a tenth
 * of the time of a Set.
 */
export function countDue(
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
  leftOut = NOBODY,
): number {
  const { contacts } = state;
  const moment = momentOf(now, policy);
  const found = new Float64Array(contactCount(contacts));
  let count = 0;
  const add = (row: number) => {
    found[count] = digitsOf(contacts, row);
    count += 1;
  };
  for (const row of state.live.values()) add(row);
  for (const { rows, heldUntil } of queuesToCall(contacts, openGroups(state, policy, now), moment)) {
    if (heldUntil > 0) continue;
    for (const row of rows)
      if (dueMillisOf(contacts, row) <= moment.millis && !leftOut(idOf(contacts, row) ?? "ctc_")) add(row);
  }
  return distinct(found.subarray(0, count).sort()) - state.liveNumbers.size;
}

function distinct(sorted: Float64Array): number {
  let count = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    if (index === 0 || sorted[index] !== sorted[index - 1]) count += 1;
  }
  return count;
}

/** Groups with contacts still to be called that may be called now. */
function openGroups(state: CampaignState, policy: PolicyInForce | null, now: Instant): readonly number[] {
  return groupsToCall(state).filter((group) => isOpen(timesOf(state, group, policy), now));
}

function contactAt(
  state: CampaignState,
  row: number,
  closings: (group: number) => Instant | null,
): DueContact | null {
  const { contacts } = state;
  const [contactId, phoneNumber] = [idOf(contacts, row), numberOf(contacts, row)];
  if (contactId === undefined || phoneNumber === undefined) return null;
  const group = groupOf(contacts, row);
  return {
    contactId,
    phoneNumber,
    timezone: zoneOfGroup(state, group),
    ownTimezone: contacts.groups.list[group]?.timezone ?? null,
    consent: consentOf(contacts, row),
    windowClosesAt: closings(group),
    attempt: attemptsOf(contacts, row) + 1,
    chunkRevision: chunkRevisionOf(contacts, row),
  };
}

/**
 * When the next contact is due; `now` when one is due already; null when nobody waits. Ignores that a number
 * may be in a call: the end of that call wakes the runner. Who is held for another's callback, or left out by
 * the runner, is not due.
 */
export function nextDueAt(
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
  leftOut = NOBODY,
): Instant | null {
  const nowMillis = millisOf(now);
  return earliest(
    firstDueIn(state, now, policy, leftOut).map(({ group, millis }) =>
      opensAt(timesOf(state, group, policy), instantFromMillis(Math.max(millis, nowMillis))),
    ),
  );
}

/** When the last of those still to be called is due, whatever the hours; 0 when nobody has to wait. */
export function lastDueMillis(state: CampaignState, now: Instant, policy: PolicyInForce | null): number {
  const { contacts } = state;
  let last = 0;
  for (const { rows, heldUntil } of queuesToCall(contacts, groupsToCall(state), momentOf(now, policy)))
    for (const row of rows) last = Math.max(last, heldUntil, dueMillisOf(contacts, row));
  return last;
}

/**
 * Whether only the window, or the policy's hours, holds back all contacts still to be called, or one who is
 * due. Call it when nobody may be dialled.
 */
export function isHeldByWindow(state: CampaignState, now: Instant, policy: PolicyInForce | null): boolean {
  if (closedUntil(state, now, policy) !== null) return true;
  return firstDueIn(state, now, policy, NOBODY).some(
    ({ group, millis }) => millis <= millisOf(now) && !isOpen(timesOf(state, group, policy), now),
  );
}

/** Whether the policy alone holds back somebody who is due. */
export function isSomebodyHeld(state: CampaignState, now: Instant, policy: PolicyInForce | null): boolean {
  const moment = momentOf(now, policy);
  const groups = openGroups(state, policy, now);
  const isKept = ({ rows: [row], heldUntil }: DueQueue) =>
    row !== undefined && heldUntil > 0 && dueMillisOf(state.contacts, row) <= moment.millis;
  return (
    queuesToCall(state.contacts, groups, moment).some(isKept) ||
    isCallWaitedFor(state.contacts, groups, moment)
  );
}

/**
 * Since when the longest waiting of the contacts due now could have been called. `before`: since when there
 * has been a due contact without a break. With retries only, it is the earliest due time.
 */
export function oldestDueSince(
  state: CampaignState,
  before: Instant,
  now: Instant,
  policy: PolicyInForce | null,
): Instant {
  const first = Math.min(...firstDueIn(state, now, policy, NOBODY).map(({ millis }) => millis));
  if (first === Number.POSITIVE_INFINITY) return before;
  return instantFromMillis(Math.max(first, millisOf(before)));
}

type FirstDue = { readonly group: number; readonly millis: number };

/**
 * For each queue of contacts still to be called: when the first is due that is not held for another's
 * callback; 0 when it was never called. Who is held by the policy is due when the hold is over.
 */
function firstDueIn(
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
  leftOut: LeftOut,
): readonly FirstDue[] {
  const { contacts } = state;
  return queuesToCall(contacts, groupsToCall(state), momentOf(now, policy)).flatMap((queue) => {
    const row = firstOf(state, queue, leftOut);
    return row === undefined
      ? []
      : [{ group: queue.group, millis: Math.max(queue.heldUntil, dueMillisOf(contacts, row)) }];
  });
}

function firstOf({ contacts }: CampaignState, queue: DueQueue, leftOut: LeftOut): number | undefined {
  if (leftOut === NOBODY) return queue.rows[0];
  for (const row of inOrder(contacts, [queue], Number.POSITIVE_INFINITY))
    if (!leftOut(idOf(contacts, row) ?? "ctc_")) return row;
  return undefined;
}

/**
 * The earliest opening among the contacts still to be called, of their window and the policy's hours; null
 * when both are open for somebody now, or nobody is left to call.
 */
export function closedUntil(
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
): { readonly opensAt: Instant | null } | null {
  const times = groupsToCall(state).map((group) => timesOf(state, group, policy));
  if (times.length === 0 || times.some((each) => isOpen(each, now))) return null;
  return { opensAt: earliest(times.map((each) => opensAt(each, now))) };
}
