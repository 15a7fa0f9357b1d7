import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import { isHeldUp, LONGEST_WAIT_MILLIS } from "./connection-pace.ts";
import { effectiveCap, freeSlots, shareOf } from "./fair-share.ts";
import type { Admitted, Grant, RefusedByPolicy } from "./grants.ts";
import { type Judgement, judgeByPolicy, judgedAtOf, numberBook, refusedByPolicy } from "./number-book.ts";
import { availableCredits, type Books, demandOf, enter, type OwnerBook } from "./owner-book.ts";
import { connectionTurnAt, ownTurns, planTurns, takeTurn } from "./pace.ts";
import { type AdmissionRefusal, type AdmissionRequest, SHORT_TURN_MILLIS } from "./requests.ts";
import { type Room, roomFor } from "./room.ts";
import {
  CAPACITY,
  type ConnectionBook,
  connectionOf,
  countSlot,
  forConnection,
  noteWaiter,
} from "./shared-book.ts";
import type { Demand, SlotRow } from "./slots.ts";

const DIAL_WITHIN_MILLIS = 15_000;
const DEMAND_MILLIS = 10_000;

type Candidate = AdmissionRequest["candidates"][number];

/**
 * `Admission.admit` on the owner's book: what was granted before is granted again unchanged, the rest as far
 * as the owner's policy, slots, share, pace and credits allow. Candidates are judged by the policy in order
 * until there is no more room: one that it refuses takes nothing, and the next one takes its place. A single
 * call is judged also where there is no room.
 */
export function admit(books: Books, request: AdmissionRequest): Admitted {
  const book = books.owners.get(request.owner);
  const granted: Grant[] = [];
  const fresh: Candidate[] = [];
  let closed = false;
  for (const candidate of request.candidates) {
    const slot = books.slots.get(candidate.callId);
    if (slot === undefined) fresh.push(candidate);
    else if (slot.closedAt === null && slot.owner === request.owner) granted.push(grantOf(slot));
    else closed = true;
  }
  if (book === undefined || book.plan === null || !book.active) {
    return { granted, refusal: fresh.length > 0 ? "owner_inactive" : closed ? "closed" : null };
  }
  const { taken, refused, refusal } = takeSlots(books, book, request, fresh);
  return {
    granted: [...granted, ...taken],
    refusal: refusal ?? (closed ? "closed" : null),
    ...(refused.length === 0 ? {} : { byPolicy: refused }),
  };
}

type Taken = {
  readonly taken: readonly Grant[];
  readonly refused: readonly RefusedByPolicy[];
  readonly refusal: AdmissionRefusal;
};

function takeSlots(
  books: Books,
  book: OwnerBook,
  request: AdmissionRequest,
  candidates: readonly Candidate[],
): Taken {
  const connection = request.connection === null ? null : connectionOf(books.shared, request.connection);
  const demand = request.campaignId === null ? null : demandOf(book, request.campaignId, books.now);
  if (demand !== null) {
    demand.cap = request.maxConcurrentCalls;
    demand.perSecond = request.maxCallsPerSecond;
    demand.connection = request.connection?.key ?? null;
  }
  const affordable = affordableCalls(book, request.pricePerMinute);
  const room = roomFor(books.shared, connection, demand, books.now);
  const share =
    demand === null
      ? Math.min(candidates.length, freeSlots(book))
      : shareOf(book, demand, candidates.length, books.now);
  const allowed = Math.min(share, affordable, room.lines, room.turns, room.capacity);
  const refusal =
    candidates.length > allowed
      ? whyNot(books, book, { demand, connection }, { allowed, affordable, room })
      : null;
  const taken: Grant[] = [];
  const refused: RefusedByPolicy[] = [];
  for (const candidate of candidates) {
    if (demand !== null && taken.length >= allowed) break;
    const judgement = judge(books, book, request, candidate);
    const no = refusedByPolicy(book.policy, candidate.callId, judgement, books.now);
    if (no !== null) {
      refused.push(no);
      continue;
    }
    if (taken.length >= allowed || isFarAhead(connection, books.now)) break;
    taken.push(takeSlot(books, book, { demand, connection }, request, candidate, judgement));
  }
  const left = candidates.length - taken.length - refused.length;
  const noted = left === 0 ? null : taken.length < allowed ? "carrier" : refusal;
  if (demand !== null) {
    demand.waitsFor = left === 0 ? null : waitsFor({ allowed, room }, connection);
    note(demand, books.now, { taken: taken.length, left, refusal: noted });
    demand.creditsWanted = noted === "credits" ? request.pricePerMinute : null;
    noteWaiter(books.shared, book.owner, demand, books.now);
  }
  return { taken, refused, refusal: noted };
}

/** Who takes a turn of the connection now would wait too long for it. */
function isFarAhead(connection: ConnectionBook | null, now: number): boolean {
  return connection !== null && connectionTurnAt(connection, now) > now + LONGEST_WAIT_MILLIS;
}

function judge(
  { numbers, now, tzdata }: Books,
  { owner, policy, lists }: OwnerBook,
  { campaignId }: AdmissionRequest,
  { callId, phoneNumber, timezone = null, consent = null, isAsked = false }: Candidate,
): Judgement {
  const dial = { callId, phoneNumber, timezone, consent, isAsked, isSingle: campaignId === null };
  return judgeByPolicy(policy, dial, numberBook(numbers, owner, phoneNumber), { now, tzdata, lists });
}

type Asking = { readonly demand: Demand | null; readonly connection: ConnectionBook | null };
type Found = { readonly allowed: number; readonly affordable: number; readonly room: Room };

function waitsFor(
  { allowed, room }: Pick<Found, "allowed" | "room">,
  connection: ConnectionBook | null,
): string | null {
  if (connection !== null && (allowed === room.lines || allowed === room.turns))
    return forConnection(connection.key);
  return allowed === room.capacity ? CAPACITY : null;
}

function affordableCalls(book: OwnerBook, price: number): number {
  if (price === 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(availableCredits(book) / price));
}

/**
 * Judged before anything of this request is taken, in the order in which missing resources are reported
 * (docs/api.md §5, waitingFor).
 */
function whyNot(
  books: Books,
  book: OwnerBook,
  { demand, connection }: Asking,
  { allowed, affordable, room }: Found,
): AdmissionRefusal {
  const { now } = books;
  if (allowed === affordable) return "credits";
  const isTurn = connection !== null && allowed === room.turns;
  if (allowed === room.lines) return "carrier";
  if (isTurn && (demand === null || isHeldUp(connection, now))) return "carrier";
  if (allowed === room.capacity) return "capacity";
  if (demand === null || allowed === freeSlots(book)) return "concurrency";
  if (allowed >= effectiveCap(book, demand.cap) - demand.live) return "concurrency";
  const turns = Math.min(planTurns(book, now), ownTurns(demand, now));
  return isTurn || allowed === turns ? "pace" : "share";
}

function note(
  demand: Demand,
  now: number,
  outcome: { readonly taken: number; readonly left: number; readonly refusal: AdmissionRefusal },
): void {
  demand.wanted = outcome.refusal === "credits" ? 0 : outcome.left;
  demand.until = now + DEMAND_MILLIS;
  if (outcome.taken > 0) demand.lastGrant = now;
}

function takeSlot(
  books: Books,
  book: OwnerBook,
  { demand, connection }: Asking,
  request: AdmissionRequest,
  { callId, phoneNumber, windowClosesAt, timezone = null }: Candidate,
  { evidence, closesAt }: Judgement,
): Grant {
  const turn = takeTurn(book, demand, books.now, connection);
  const dialAt = Math.ceil(turn.at);
  const dialBy = Math.min(dialAt + DIAL_WITHIN_MILLIS, orNever(windowClosesAt), orNever(closesAt));
  book.live += 1;
  if (demand !== null) demand.live += 1;
  const slot: SlotRow = {
    callId,
    owner: book.owner,
    campaignId: request.campaignId,
    phoneNumber,
    price: request.pricePerMinute,
    dialAt,
    dialBy,
    // A single call is stored at once and dialled by the watchdog when its turn comes; a campaign's runner
    // waits for the turn itself.
    nextLookAt: request.campaignId === null && turn.at > books.now + SHORT_TURN_MILLIS ? dialAt : dialBy,
    paced: turn.paced,
    activeCalls: demand === null ? book.live : demand.live,
    maxConcurrentCalls: effectiveCap(book, request.maxConcurrentCalls),
    availableCredits: availableCredits(book),
    connection: connection?.key ?? null,
    audio: connection?.audio ?? false,
    policy: evidence,
    timezone,
    closedAt: null,
  };
  countSlot(books.shared, slot, 1);
  enter(books, book, "reserve", slot.price, { callId });
  books.slots.set(callId, slot);
  books.opened.push(slot);
  books.dialled.push({ owner: book.owner, phoneNumber, callId });
  const { dials, open } = numberBook(books.numbers, book.owner, phoneNumber);
  dials.unshift({ callId, at: judgedAtOf(books.now) });
  open.push({ callId, requested: false });
  return grantOf(slot);
}

function orNever(at: Instant | null): number {
  return at === null ? Number.POSITIVE_INFINITY : millisOf(at);
}

function grantOf(slot: SlotRow): Grant {
  return {
    callId: slot.callId,
    dialAt: instantFromMillis(slot.dialAt),
    dialBy: instantFromMillis(slot.dialBy),
    activeCalls: slot.activeCalls,
    effectiveMaxConcurrentCalls: slot.maxConcurrentCalls,
    availableCredits: slot.availableCredits,
    ...(slot.policy === null ? {} : { policy: slot.policy }),
  };
}
