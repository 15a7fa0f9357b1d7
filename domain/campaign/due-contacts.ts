import type { CallId, ContactId } from "../shared/ids.ts";
import { earliest, type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "../window/call-window.ts";
import { chunkRevisionOf, digitsOf, dueMillisOf, idOf, numberOf, zoneOf } from "./contacts/contact-row.ts";
import { contactCount } from "./contacts/contact-table.ts";
import { dueRowsInOrder, firstRows, queuesToCall } from "./contacts/due-queues.ts";
import type { DialEvidence } from "./events.ts";
import type { CampaignState } from "./state.ts";
import { judgedOnce, zoneName, zonesToCall } from "./zones.ts";

/** Where the times of a contact count. */
export function zoneOfContact(state: CampaignState, row: number): string {
  return zoneName(state, zoneOf(state.contacts, row));
}

/**
 * A contact that may be dialled now. Its texts are in the event at `chunkRevision` of the campaign's stream.
 */
export type DueContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string;
  readonly windowClosesAt: Instant | null;
  readonly chunkRevision: number;
};

/** A slot granted for a due contact, with the evidence from admission. */
export type GrantedDial = {
  readonly contactId: ContactId;
  readonly callId: CallId;
  readonly dialAt: Instant;
  readonly dialBy: Instant;
  readonly evidence: Pick<DialEvidence, "activeCalls" | "effectiveMaxConcurrentCalls" | "availableCredits">;
};

/**
 * Whom to call next, at most `limit`: first callbacks by due time, then contacts that were never called, in
 * the order of import, then retries by due time. Contacts outside their window are left out, and so are
 * numbers in a call of this campaign or held for another's callback. No number comes twice. However many
 * wait or are held, k of them take O(k log n).
 */
export function dueContacts(state: CampaignState, now: Instant, limit: number): readonly DueContact[] {
  if (state.status !== "RUNNING") return [];
  const window = state.settings?.window ?? null;
  const closings = judgedOnce(state, (timezone) => windowClosesAt(timezone, window, now));
  const due: DueContact[] = [];
  const taken = new Set<PhoneNumber>();
  for (const row of dueRowsInOrder(state.contacts, openZones(state, now), millisOf(now))) {
    if (due.length >= limit) break;
    const contact = contactAt(state, row, closings);
    if (contact === null || taken.has(contact.phoneNumber) || state.liveNumbers.has(contact.phoneNumber))
      continue;
    taken.add(contact.phoneNumber);
    due.push(contact);
  }
  return due;
}

/**
 * How many contacts the campaign's own rules would allow to dial now: those of `dueContacts` without
 * a limit, also while paused. Asked each second; sorting the numbers of 10,000 contacts takes a tenth
 * of the time of a Set.
 */
export function countDue(state: CampaignState, now: Instant): number {
  const { contacts } = state;
  const nowMillis = millisOf(now);
  const found = new Float64Array(contactCount(contacts));
  let count = 0;
  const add = (row: number) => {
    found[count] = digitsOf(contacts, row);
    count += 1;
  };
  for (const row of state.live.values()) add(row);
  for (const zone of openZones(state, now))
    for (const row of queuesToCall(contacts, zone).flat())
      if (dueMillisOf(contacts, row) <= nowMillis) add(row);
  return distinct(found.subarray(0, count).sort()) - state.liveNumbers.size;
}

function distinct(sorted: Float64Array): number {
  let count = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    if (index === 0 || sorted[index] !== sorted[index - 1]) count += 1;
  }
  return count;
}

/** Zones with contacts still to be called that may be called now. */
function openZones(state: CampaignState, now: Instant): readonly number[] {
  const window = state.settings?.window ?? null;
  return zonesToCall(state).filter((zone) => isWindowOpen(zoneName(state, zone), window, now));
}

function contactAt(
  state: CampaignState,
  row: number,
  closings: (zone: number) => Instant | null,
): DueContact | null {
  const { contacts } = state;
  const [contactId, phoneNumber] = [idOf(contacts, row), numberOf(contacts, row)];
  if (contactId === undefined || phoneNumber === undefined) return null;
  const zone = zoneOf(contacts, row);
  return {
    contactId,
    phoneNumber,
    timezone: zoneName(state, zone),
    windowClosesAt: closings(zone),
    chunkRevision: chunkRevisionOf(contacts, row),
  };
}

/**
 * When the next contact is due; `now` when one is due already; null when nobody waits. Ignores that a number
 * may be in a call: the end of that call wakes the runner. Who is held for another's callback is not due.
 */
export function nextDueAt(state: CampaignState, now: Instant): Instant | null {
  const window = state.settings?.window ?? null;
  const nowMillis = millisOf(now);
  return earliest(
    firstDueIn(state).map(([zone, millis]) =>
      nextOpening(zoneName(state, zone), window, instantFromMillis(Math.max(millis, nowMillis))),
    ),
  );
}

/** When the last of those still to be called is due, whatever the window; 0 when nobody has to wait. */
export function lastDueMillis(state: CampaignState): number {
  const { contacts } = state;
  let last = 0;
  for (const zone of zonesToCall(state))
    for (const row of queuesToCall(contacts, zone).flat()) last = Math.max(last, dueMillisOf(contacts, row));
  return last;
}

/**
 * Whether only the window holds back all contacts still to be called, or one who is due. Call it when
 * nobody may be dialled.
 */
export function isHeldByWindow(state: CampaignState, now: Instant): boolean {
  if (closedUntil(state, now) !== null) return true;
  const window = state.settings?.window ?? null;
  return firstDueIn(state).some(
    ([zone, millis]) => millis <= millisOf(now) && !isWindowOpen(zoneName(state, zone), window, now),
  );
}

/**
 * Since when the longest waiting of the contacts due now could have been called. `before`: since when there
 * has been a due contact without a break. With retries only, it is the earliest due time.
 */
export function oldestDueSince(state: CampaignState, before: Instant): Instant {
  const first = Math.min(...firstDueIn(state).map(([, millis]) => millis));
  if (first === Number.POSITIVE_INFINITY) return before;
  return instantFromMillis(Math.max(first, millisOf(before)));
}

/**
 * For each zone with contacts still to be called: when the first callback and the first other are due that
 * are not held; 0 when one was never called.
 */
function firstDueIn(state: CampaignState): readonly (readonly [zone: number, millis: number])[] {
  const { contacts } = state;
  return zonesToCall(state).flatMap((zone) =>
    firstRows(contacts, zone).map((row) => [zone, dueMillisOf(contacts, row)] as const),
  );
}

/**
 * The earliest opening among the contacts still to be called; null when a window is open now, or
 * nobody is left to call.
 */
export function closedUntil(state: CampaignState, now: Instant): { readonly opensAt: Instant | null } | null {
  const window = state.settings?.window ?? null;
  const zones = zonesToCall(state).map((zone) => zoneName(state, zone));
  if (zones.length === 0 || zones.some((timezone) => isWindowOpen(timezone, window, now))) return null;
  return { opensAt: earliest(zones.map((timezone) => nextOpening(timezone, window, now))) };
}
