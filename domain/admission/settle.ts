import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, OwnerId } from "../shared/ids.ts";
import { millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { effectiveCap } from "./fair-share.ts";
import type { Account } from "./grants.ts";
import { numberBook, numberKey } from "./number-book.ts";
import { availableCredits, type Books, demandOf, enter, type OwnerBook, referenceKey } from "./owner-book.ts";
import type { LostSlot, Settlement } from "./requests.ts";
import { countSlot } from "./shared-book.ts";
import type { SlotRow } from "./slots.ts";

/**
 * `Admission.close` of one call: frees the slot, releases the reservation, charges; what became no dial does
 * not count as one any more. Nothing if it is closed or unknown.
 */
export function close(books: Books, { callId, cost, unused = false }: Settlement): void {
  const slot = books.slots.get(callId);
  if (slot === undefined || slot.closedAt !== null) return;
  const book = books.owners.get(slot.owner);
  if (book === undefined) return;
  slot.closedAt = books.now;
  books.closed.push(slot);
  book.live -= 1;
  countSlot(books.shared, slot, -1);
  if (slot.campaignId !== null) demandOf(book, slot.campaignId, books.now).live -= 1;
  if (slot.phoneNumber !== null) leaveNumber(books, slot.owner, slot.phoneNumber, callId, unused);
  enter(books, book, "release", slot.price, { callId });
  enter(books, book, "charge", cost, { callId });
}

function leaveNumber(
  books: Books,
  owner: OwnerId,
  phoneNumber: PhoneNumber,
  callId: CallId,
  unused: boolean,
): void {
  if (unused) books.undialled.push({ owner, phoneNumber, callId });
  const book = books.numbers.get(numberKey(owner, phoneNumber));
  if (book === undefined) return;
  without(book.open, callId);
  if (unused) without(book.dials, callId);
}

function without(calls: { readonly callId: CallId }[], callId: CallId): void {
  const index = calls.findIndex((each) => each.callId === callId);
  if (index >= 0) calls.splice(index, 1);
}

/**
 * `Admission.ensure`: makes slot and reservation without limits; nothing if they exist or existed. Its dial
 * is counted by whoever reads the log for it (docs/permission.md).
 */
export function ensure(books: Books, slot: LostSlot, price: CreditUnits): void {
  const book = books.owners.get(slot.owner);
  const known = books.slots.has(slot.callId) || books.reservedBefore.has(slot.callId);
  if (book === undefined || known) return;
  const demand = slot.campaignId === null ? null : demandOf(book, slot.campaignId, books.now);
  book.live += 1;
  if (demand !== null) demand.live += 1;
  const row: SlotRow = {
    callId: slot.callId,
    owner: slot.owner,
    campaignId: slot.campaignId,
    phoneNumber: slot.phoneNumber,
    price,
    dialAt: millisOf(slot.dialAt),
    dialBy: millisOf(slot.dialBy),
    nextLookAt: millisOf(slot.nextLookAt),
    paced: false,
    activeCalls: demand === null ? book.live : demand.live,
    maxConcurrentCalls: effectiveCap(book, demand?.cap ?? null),
    availableCredits: availableCredits(book),
    connection: null,
    audio: false,
    policy: null,
    timezone: null,
    closedAt: null,
  };
  countSlot(books.shared, row, 1);
  enter(books, book, "reserve", price, { callId: slot.callId });
  books.slots.set(slot.callId, row);
  books.opened.push(row);
  numberBook(books.numbers, slot.owner, slot.phoneNumber).open.push({
    callId: slot.callId,
    requested: false,
  });
}

/** `Admission.topUp`: once for each reference. */
export function topUp(books: Books, owner: OwnerId, amount: CreditUnits, reference: string): Account {
  const book = books.owners.get(owner);
  if (book === undefined) return { balance: 0, reserved: 0, liveCalls: 0 };
  const key = referenceKey(owner, reference);
  if (!books.references.has(key)) {
    books.references.add(key);
    enter(books, book, "top_up", amount, { reference });
  }
  return accountOf(book);
}

export function accountOf(book: OwnerBook): Account {
  return { balance: book.balance, reserved: book.reserved, liveCalls: book.live };
}
