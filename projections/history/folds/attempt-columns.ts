import type { EndReason } from "../../../domain/call/end-reason.ts";
import type {
  CampaignEvent,
  ContactAttemptFailed,
  ContactDialed,
  ContactSucceeded,
  DialEvidence,
} from "../../../domain/campaign/events.ts";
import type { CallId, CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { bytes, floats, integers, shorts, withRoom } from "./columns.ts";
import { addId, bytesOfIds, idAt, isIdAt, noIds, type PackedIds } from "./packed-ids.ts";

/** The most frequent events of contacts. */
export type AttemptEvent = ContactDialed | ContactSucceeded | ContactAttemptFailed;
type EndedEvent = ContactSucceeded | ContactAttemptFailed;

/**
 * Attempts of a campaign's contacts: a dial and its end are two events and one attempt. Only the fields that
 * a fold needs; some 50 bytes each.
 */
export type AttemptColumns = {
  readonly calls: PackedIds<CallId>;
  /** Number of the contact in the campaign. */
  contact: Int32Array;
  attempt: Uint16Array;
  /** Index in `reasons`, from 1; 0: it has not ended. */
  reason: Uint8Array;
  /** NaN: none. */
  seconds: Float64Array;
  cost: Float64Array;
  retryAt: Float64Array;
  /** 1: the contact asked never to be called again. */
  optedOut: Uint8Array;
  /** 1: the contact waited for this call, which it had agreed. */
  waited: Uint8Array;
  readonly reasons: EndReason[];
};

export function noAttempts(): AttemptColumns {
  return {
    calls: noIds("call_"),
    contact: integers(0),
    attempt: shorts(0),
    reason: bytes(0),
    seconds: floats(0),
    cost: floats(0),
    retryAt: floats(0),
    optedOut: bytes(0),
    waited: bytes(0),
    reasons: [],
  };
}

/**
 * `last`: index of the contact's last attempt, -1: none. Returns the index for this event. An attempt ends
 * once, so a second end gets a row of its own.
 */
export function placeAttempt(
  attempts: AttemptColumns,
  event: AttemptEvent,
  contact: number,
  last: number,
): number {
  const place = goesOn(attempts, event, last) ? last : begin(attempts, event, contact);
  if (event.type !== "ContactDialed") end(attempts, event, place);
  return place;
}

function goesOn({ calls, attempt, reason }: AttemptColumns, { data }: AttemptEvent, last: number): boolean {
  return (
    last >= 0 && reason[last] === 0 && attempt[last] === data.attempt && isIdAt(calls, last, data.callId)
  );
}

function begin(attempts: AttemptColumns, { type, data }: AttemptEvent, contact: number): number {
  const place = addId(attempts.calls, data.callId);
  attempts.contact = withRoom(attempts.contact, place, integers);
  attempts.attempt = withRoom(attempts.attempt, place, shorts);
  attempts.reason = withRoom(attempts.reason, place, bytes);
  attempts.seconds = withRoom(attempts.seconds, place, floats);
  attempts.cost = withRoom(attempts.cost, place, floats);
  attempts.retryAt = withRoom(attempts.retryAt, place, floats);
  attempts.optedOut = withRoom(attempts.optedOut, place, bytes);
  attempts.waited = withRoom(attempts.waited, place, bytes);
  attempts.waited[place] = type === "ContactDialed" && data.waitedForCallback === true ? 1 : 0;
  attempts.contact[place] = contact;
  attempts.attempt[place] = data.attempt;
  return place;
}

function end(attempts: AttemptColumns, { type, data }: EndedEvent, place: number): void {
  const { reason, reasons, seconds, cost, retryAt, optedOut } = attempts;
  const known = reasons.indexOf(data.endReason);
  reason[place] = known >= 0 ? known + 1 : reasons.push(data.endReason);
  seconds[place] = data.durationSeconds ?? Number.NaN;
  cost[place] = data.cost ?? Number.NaN;
  const next = type === "ContactAttemptFailed" ? data.retryAt : null;
  retryAt[place] = next === null ? Number.NaN : millisOf(next);
  optedOut[place] = data.optedOut === true ? 1 : 0;
}

const ATTEMPT_BYTES = 4 + 2 + 3 * 1 + 3 * 8;

export function bytesOfAttempts({ calls, contact }: AttemptColumns): number {
  return bytesOfIds(calls) + contact.length * ATTEMPT_BYTES;
}

/** undefined: it has not ended. */
export function reasonAt({ reason, reasons }: AttemptColumns, place: number): EndReason | undefined {
  return reasons[(reason[place] ?? 0) - 1];
}

/** No fold needs these fields, so they are not kept. */
const NOT_KEPT = {
  phoneNumber: "+10000000",
  maxAttempts: 0,
  evidence: {
    localTime: "",
    utcOffsetMinutes: 0,
    timezone: "UTC",
    window: null,
    activeCalls: 0,
    effectiveMaxConcurrentCalls: 0,
    availableCredits: 0,
    attempt: 0,
  } satisfies DialEvidence,
} as const;

/** The event of this kind of the attempt, with the fields that folds need. */
export function attemptEvent(
  attempts: AttemptColumns,
  place: number,
  type: AttemptEvent["type"],
  moment: { readonly campaignId: CampaignId; readonly contactId: ContactId; readonly at: Instant },
): CampaignEvent {
  const { phoneNumber, evidence, maxAttempts } = NOT_KEPT;
  const begun = { ...moment, callId: idAt(attempts.calls, place), attempt: attempts.attempt[place] ?? 1 };
  if (type === "ContactDialed") {
    const waited = attempts.waited[place] === 1 ? { waitedForCallback: true as const } : {};
    return {
      type,
      data: { ...begun, phoneNumber, dialAt: moment.at, dialBy: moment.at, evidence, ...waited },
    };
  }
  const cost = numberOr(attempts.cost[place]);
  const ended = {
    ...begun,
    endReason: reasonAt(attempts, place) ?? "outcome_unknown",
    durationSeconds: numberOr(attempts.seconds[place]),
    maxAttempts,
    ...(cost === null ? {} : { cost }),
    ...(attempts.optedOut[place] === 1 ? { optedOut: true as const } : {}),
  };
  if (type === "ContactSucceeded") return { type, data: ended };
  const retryAt = numberOr(attempts.retryAt[place]);
  return { type, data: { ...ended, retryAt: retryAt === null ? null : instantFromMillis(retryAt) } };
}

function numberOr(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
