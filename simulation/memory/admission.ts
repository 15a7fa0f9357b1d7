import type { Admission } from "../../application/ports/admission.ts";
import type { Clock } from "../../application/ports/clock.ts";
import { admit } from "../../domain/admission/admit.ts";
import { endSlowing, slow } from "../../domain/admission/connection-pace.ts";
import type { LedgerEntry } from "../../domain/admission/grants.ts";
import {
  judgeByPolicy,
  type NumberBook,
  numberBook,
  refusedByPolicy,
} from "../../domain/admission/number-book.ts";
import { turnBefore } from "../../domain/admission/operations.ts";
import type { Books, LedgerRow, OwnerBook } from "../../domain/admission/owner-book.ts";
import type { Slot } from "../../domain/admission/requests.ts";
import { accountOf, close, ensure, topUp } from "../../domain/admission/settle.ts";
import { connectionOf, type SharedBook } from "../../domain/admission/shared-book.ts";
import type { Millis, Plan, SlotRow } from "../../domain/admission/slots.ts";
import { withdraw } from "../../domain/admission/withdraw.ts";
import { NO_LISTS, type RegistryLists } from "../../domain/policy/list-age.ts";
import type { PolicyInForce } from "../../domain/policy/policy.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { createShared, type KeptBook } from "./admission-shared.ts";
import { createMemoryWakes } from "./admission-wakes.ts";
import type { MemorySubjectKeys } from "./subject-keys.ts";

const TZDATA = process.versions["tz"] ?? "unknown";
const CLOSED_KEPT_MILLIS = 24 * 3_600_000;

export type MemoryAdmissionDeps = {
  readonly clock: Clock;
  /** The owner's plan as it is now; null: no such owner. */
  readonly owner: (owner: OwnerId) => { readonly active: boolean; readonly plan: Plan } | null;
  /** The owner's policy as it is now; absent: nobody has one. */
  readonly policy?: (owner: OwnerId) => PolicyInForce | null;
  /** The owner's registry lists as they are now; absent: nobody has any. */
  readonly lists?: (owner: OwnerId) => RegistryLists;
  readonly keys?: Pick<MemorySubjectKeys, "draw" | "remember">;
};

export type MemoryAdmission = Admission & {
  /** What all processes together can hold from now on. */
  readonly setCapacity: (limits: { readonly text: number; readonly audio: number } | null) => void;
  /** Every movement of credits, oldest first. */
  readonly ledger: (owner: OwnerId) => readonly LedgerEntry[];
  /** Slots that are not closed. */
  readonly openSlots: () => readonly Slot[];
};

/** Admission in memory, by the clock it is given; same seed, same answers. */
export function createMemoryAdmission(deps: MemoryAdmissionDeps): MemoryAdmission {
  const { clock } = deps;
  const accounts = new Map<OwnerId, KeptBook>();
  const slots = new Map<CallId, SlotRow>();
  const looks = new Map<CallId, Millis>();
  const dueSessions = new Map<CallId, Instant>();
  const reserved = new Set<CallId>();
  const references = new Set<string>();
  const numbers = new Map<string, NumberBook>();
  const ledger: LedgerRow[] = [];
  const shared = createShared();
  const owners = createOwners(deps, accounts, () => shared.books(accounts, clock.nowMillis()));
  const wakes = createMemoryWakes(clock, (owner) => owners.book(owner));

  const change = <Answer>(touched: readonly OwnerId[], work: (books: Books) => Answer): Answer => {
    const now = clock.nowMillis();
    forgetClosed(slots, looks, now);
    const books: Books = {
      now,
      tzdata: TZDATA,
      owners: new Map(touched.map((owner) => [owner, owners.book(owner)])),
      shared: shared.books(accounts, now),
      slots,
      reservedBefore: reserved,
      references,
      numbers,
      opened: [],
      closed: [],
      dialled: [],
      undialled: [],
      ledger,
    };
    const answer = work(books);
    shared.keep(books);
    for (const book of books.owners.values()) owners.keep(book);
    for (const slot of books.opened) {
      reserved.add(slot.callId);
      looks.set(slot.callId, slot.nextLookAt);
      if (deps.keys !== undefined) deps.keys.remember([deps.keys.draw(slot.callId, slot.owner)]);
    }
    for (const slot of books.closed) looks.delete(slot.callId);
    for (const owner of touched) wakes.round(owner);
    wakes.shared(shared.books(accounts, clock.nowMillis()));
    return answer;
  };
  const ownersOf = (callIds: readonly CallId[]): OwnerId[] => [
    ...new Set(callIds.flatMap((callId) => slots.get(callId)?.owner ?? [])),
  ];

  return {
    admit: async (request) => change([request.owner], (books) => admit(books, request)),
    slowDown: async (key, retryAfterMillis) => {
      const connection = shared.connections.get(key);
      if (connection !== undefined) slow(connection, retryAfterMillis, clock.nowMillis());
    },
    tookDial: async (key, begunMillisAgo) => {
      const connection = shared.connections.get(key);
      if (connection !== undefined) endSlowing(connection, clock.nowMillis() - begunMillisAgo);
    },
    takeTurn: async (connection, before) =>
      change([], (books) => turnBefore(connectionOf(books.shared, connection), books.now, millisOf(before))),
    close: async (settlements) =>
      change(ownersOf(settlements.map(({ callId }) => callId)), (books) => {
        for (const settlement of settlements) close(books, settlement);
      }),
    judge: async (dial) => {
      const { callId, owner, phoneNumber } = dial;
      const now = clock.nowMillis();
      const inForce = deps.policy?.(owner) ?? null;
      const timezone = slots.get(callId)?.timezone ?? dial.timezone;
      const book = numberBook(numbers, owner, phoneNumber);
      return refusedByPolicy(
        inForce,
        callId,
        judgeByPolicy(inForce, { ...dial, timezone }, book, {
          now,
          tzdata: TZDATA,
          lists: deps.lists?.(owner) ?? NO_LISTS,
        }),
        now,
      );
    },
    ensure: async (slot, price) => {
      const { callId, owner, phoneNumber } = slot;
      const live = numberBook(numbers, owner, phoneNumber).open.find((open) => open.callId === callId);
      if (live !== undefined && slots.get(callId)?.policy !== null) live.requested = true;
      change([owner], (books) => ensure(books, slot, price));
    },
    openIntents: async (owner, phoneNumber) =>
      [...slots.values()]
        .filter((slot) => slot.closedAt === null && slot.owner === owner && slot.phoneNumber === phoneNumber)
        .map(({ callId, dialBy }) => ({ callId, dialBy: instantFromMillis(dialBy) })),
    dueLooks: async (now, limit) =>
      [...looks]
        .filter(([, at]) => at <= millisOf(now))
        .sort(([callA, a], [callB, b]) => a - b || (callA < callB ? -1 : 1))
        .slice(0, limit)
        .flatMap(([callId, at]) => slotOf(slots.get(callId), at, dueSessions.get(callId))),
    setNextLooks: async (next) => {
      for (const { callId, at } of next) if (looks.has(callId)) looks.set(callId, millisOf(at));
    },
    expectSession: async (callId, by) => {
      if (looks.has(callId)) dueSessions.set(callId, by);
    },
    nextLookAt: async () => {
      const at = [...looks.values()].reduce((first, look) => Math.min(first, look), Number.POSITIVE_INFINITY);
      return Number.isFinite(at) ? instantFromMillis(at) : null;
    },
    account: async (owner) => accountOf(owners.book(owner)),
    topUp: async (owner, amount, reference) => {
      const account = change([owner], (books) => topUp(books, owner, amount, reference));
      wakes.all(owner);
      return account;
    },
    onWake: wakes.onWake,
    withdrawDemand: async (campaignId) => {
      const owner = owners.withdraw(campaignId);
      if (owner !== null) wakes.round(owner);
    },
    setCapacity: (limits) => {
      shared.setCapacity(limits);
      wakes.shared(shared.books(accounts, clock.nowMillis()));
    },
    ledger: (owner) => ledger.flatMap((row, index) => (row.owner === owner ? [entryOf(row, index)] : [])),
    openSlots: () => [...looks].flatMap(([callId, at]) => slotOf(slots.get(callId), at)),
  };
}

function createOwners(deps: MemoryAdmissionDeps, accounts: Map<OwnerId, KeptBook>, shared: () => SharedBook) {
  const book = (owner: OwnerId): OwnerBook => {
    const known = deps.owner(owner);
    const account = accounts.get(owner) ?? emptyAccount(owner);
    const policy = deps.policy?.(owner) ?? null;
    return {
      ...account,
      plan: known?.plan ?? null,
      active: known?.active ?? false,
      policy,
      lists: deps.lists?.(owner) ?? NO_LISTS,
      shared: shared(),
    };
  };
  return {
    book,
    keep: ({ shared: _shared, policy: _policy, lists: _lists, ...changed }: OwnerBook): void => {
      accounts.set(changed.owner, changed);
    },
    withdraw: (campaignId: CampaignId): OwnerId | null => {
      for (const [owner, { demands }] of accounts) {
        if (!demands.has(campaignId)) continue;
        withdraw(book(owner), campaignId);
        return owner;
      }
      return null;
    },
  };
}

function emptyAccount(owner: OwnerId): KeptBook {
  return {
    owner,
    live: 0,
    balance: 0,
    reserved: 0,
    nextTurn: 0,
    pacedTurns: [],
    pacedUntil: 0,
    demands: new Map(),
  };
}

function forgetClosed(slots: Map<CallId, SlotRow>, looks: Map<CallId, Millis>, now: Millis): void {
  for (const [callId, slot] of slots) {
    if (slot.closedAt === null) continue;
    if (slot.closedAt > now - CLOSED_KEPT_MILLIS) return;
    slots.delete(callId);
    looks.delete(callId);
  }
}

function slotOf(slot: SlotRow | undefined, nextLookAt: Millis, sessionDueBy?: Instant): Slot[] {
  if (slot === undefined) return [];
  const { callId, owner, campaignId, dialAt, dialBy } = slot;
  return [
    {
      callId,
      owner,
      campaignId,
      dialAt: instantFromMillis(dialAt),
      dialBy: instantFromMillis(dialBy),
      nextLookAt: instantFromMillis(nextLookAt),
      ...(sessionDueBy === undefined ? {} : { sessionDueBy }),
    },
  ];
}

function entryOf({ at, owner: _owner, ...row }: LedgerRow, index: number): LedgerEntry {
  return { ...row, id: String(index + 1), at: instantFromMillis(at) };
}
