import type { ContactId } from "../shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { isWindowOpen, nextOpening, windowClosesAt } from "./call-window.ts";
import { peekRetry, popRetry, retriesInOrder } from "./retry-queue.ts";
import type { CampaignState } from "./state.ts";

/** A contact that may be dialled now, and where its texts stand: `chunkRevision` of the campaign's stream, `chunkOffset` in that event. */
export type DueContact = {
  readonly contactId: ContactId;
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string;
  readonly windowClosesAt: Instant | null;
  readonly chunkRevision: number;
  readonly chunkOffset: number;
};

/** The zone in which a contact is judged: its own, else the campaign's. */
export function zoneOf(state: CampaignState, row: number): string {
  const zone = state.contacts.zone[row] ?? 0;
  return zone === 0 ? (state.settings?.timezone ?? "") : (state.contacts.zones[zone] ?? "");
}

/**
 * Whom to call next, at most `limit`: contacts never called in the order of import, then retries by their due time. Not while the window is closed
 * where they are, not a number that is in a call of this campaign, and no number twice.
 */
export function dueContacts(state: CampaignState, now: Instant, limit: number): readonly DueContact[] {
  if (state.status !== "RUNNING") return [];
  const due: DueContact[] = [];
  const numbers = new Set(state.liveNumbers);
  const zones = openZones(state, now);
  for (const row of rowsInOrder(state, millisOf(now))) {
    if (due.length >= limit) break;
    const contact = contactAt(state, row, zones);
    if (contact === null || numbers.has(contact.phoneNumber)) continue;
    numbers.add(contact.phoneNumber);
    due.push(contact);
  }
  return due;
}

function* rowsInOrder(state: CampaignState, nowMillis: number): Generator<number> {
  const { status } = state.contacts;
  for (let row = state.firstPending; row < status.length; row += 1) if (status[row] === "pending") yield row;
  for (const { contact, dueMillis } of retriesInOrder(state.retries)) {
    if (dueMillis > nowMillis) return;
    if (isWaiting(state, contact, dueMillis)) yield contact;
  }
}

function isWaiting(state: CampaignState, row: number, dueMillis: number): boolean {
  return state.contacts.status[row] === "waiting_retry" && state.contacts.dueMillis[row] === dueMillis;
}

type OpenZone = { readonly timezone: string; readonly open: boolean; readonly closesAt: Instant | null };

/** Each zone is judged once, whatever the number of contacts in it. */
function openZones(state: CampaignState, now: Instant): (zone: number) => OpenZone {
  const judged = new Map<number, OpenZone>();
  const window = state.settings?.window ?? null;
  return (zone) => {
    const known = judged.get(zone);
    if (known !== undefined) return known;
    const timezone = zone === 0 ? (state.settings?.timezone ?? "") : (state.contacts.zones[zone] ?? "");
    const open = isWindowOpen(timezone, window, now);
    const judgement = { timezone, open, closesAt: open ? windowClosesAt(timezone, window, now) : null };
    judged.set(zone, judgement);
    return judgement;
  };
}

function contactAt(state: CampaignState, row: number, zones: (zone: number) => OpenZone): DueContact | null {
  const { ids, numbers, zone, chunkRevision, chunkOffset } = state.contacts;
  const [contactId, phoneNumber] = [ids[row], numbers[row]];
  const { timezone, open, closesAt } = zones(zone[row] ?? 0);
  if (!open || contactId === undefined || phoneNumber === undefined) return null;
  return {
    contactId,
    phoneNumber,
    timezone,
    windowClosesAt: closesAt,
    chunkRevision: chunkRevision[row] ?? 0,
    chunkOffset: chunkOffset[row] ?? 0,
  };
}

/**
 * When somebody of this campaign is due next, `now` when somebody is due already; null when nobody waits. Numbers that are in a call are not
 * considered: the end of that call wakes the runner.
 */
export function nextDueAt(state: CampaignState, now: Instant): Instant | null {
  dropStaleRetries(state);
  const earliest = new Map<number, number>();
  const consider = (row: number, millis: number) => {
    const zone = state.contacts.zone[row] ?? 0;
    earliest.set(
      zone,
      Math.min(earliest.get(zone) ?? Number.POSITIVE_INFINITY, Math.max(millis, millisOf(now))),
    );
  };
  for (const row of pendingRowPerZone(state)) consider(row, 0);
  state.retries.contacts.forEach((row, index) => {
    const dueMillis = state.retries.due[index] ?? 0;
    if (isWaiting(state, row, dueMillis)) consider(row, dueMillis);
  });
  const openings = [...earliest]
    .map(([zone, millis]) => openingOf(state, zone, millis))
    .filter((opening) => opening !== null);
  return openings.toSorted()[0] ?? null;
}

function openingOf(state: CampaignState, zone: number, fromMillis: number): Instant | null {
  const timezone = zone === 0 ? (state.settings?.timezone ?? "") : (state.contacts.zones[zone] ?? "");
  return nextOpening(timezone, state.settings?.window ?? null, instantFromMillis(fromMillis));
}

/** One pending row of each zone: the rows of a zone are all due at the same time. */
function pendingRowPerZone(state: CampaignState): readonly number[] {
  const { status, zone, zones } = state.contacts;
  const rows = new Map<number, number>();
  for (let row = state.firstPending; row < status.length && rows.size < zones.length; row += 1) {
    const inZone = zone[row] ?? 0;
    if (status[row] === "pending" && !rows.has(inZone)) rows.set(inZone, row);
  }
  return [...rows.values()];
}

function dropStaleRetries(state: CampaignState): void {
  for (let first = peekRetry(state.retries); first !== null; first = peekRetry(state.retries)) {
    if (isWaiting(state, first.contact, first.dueMillis)) return;
    popRetry(state.retries);
  }
}

/**
 * The earliest opening among the contacts still to be called; null when one of them has an open window now (or there is none to be called).
 */
export function closedUntil(state: CampaignState, now: Instant): { readonly opensAt: Instant | null } | null {
  const zones = zonesToBeCalled(state);
  if (zones.length === 0) return null;
  const window = state.settings?.window ?? null;
  if (zones.some((timezone) => isWindowOpen(timezone, window, now))) return null;
  const openings = zones
    .map((timezone) => nextOpening(timezone, window, now))
    .filter((opening) => opening !== null);
  return { opensAt: openings.toSorted()[0] ?? null };
}

function zonesToBeCalled(state: CampaignState): readonly string[] {
  const rows = new Set(pendingRowPerZone(state).map((row) => state.contacts.zone[row] ?? 0));
  state.retries.contacts.forEach((row, index) => {
    if (isWaiting(state, row, state.retries.due[index] ?? 0)) rows.add(state.contacts.zone[row] ?? 0);
  });
  return [...rows].map((zone) =>
    zone === 0 ? (state.settings?.timezone ?? "") : (state.contacts.zones[zone] ?? ""),
  );
}
