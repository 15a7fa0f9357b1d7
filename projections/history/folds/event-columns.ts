import type { EndReason } from "../../../domain/call/end-reason.ts";
import type {
  CampaignEvent,
  ContactAttemptFailed,
  ContactDialed,
  ContactSucceeded,
} from "../../../domain/campaign/events.ts";
import type { DialEvidence } from "../../../domain/campaign/evidence.ts";
import type { CallId, CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";

/** What happens to contacts most often, and all that a fold looks at of it; some 60 bytes each. */
export type AttemptEvent = ContactDialed | ContactSucceeded | ContactAttemptFailed;

/** What an event is: `WHOLE` stands elsewhere, as it is. */
export const WHOLE = 0;
const KINDS = ["ContactDialed", "ContactSucceeded", "ContactAttemptFailed"] as const;

/** Events of a campaign in columns that grow at their end. Owned by whoever adds to them. */
export type EventColumns = {
  length: number;
  /** Milliseconds since 1970; -Infinity: whatever the time. */
  at: Float64Array;
  /** The latest `at` up to here. */
  latest: Float64Array;
  revision: Int32Array;
  kind: Uint8Array;
  contact: Int32Array;
  call: Int32Array;
  reason: Uint8Array;
  attempt: Uint16Array;
  /** NaN: none. */
  seconds: Float64Array;
  cost: Float64Array;
  retryAt: Float64Array;
  readonly calls: CallId[];
  readonly reasons: EndReason[];
};

const FIRST = 256;

export function noEvents(): EventColumns {
  return {
    length: 0,
    at: new Float64Array(FIRST),
    latest: new Float64Array(FIRST),
    revision: new Int32Array(FIRST),
    kind: new Uint8Array(FIRST),
    contact: new Int32Array(FIRST),
    call: new Int32Array(FIRST),
    reason: new Uint8Array(FIRST),
    attempt: new Uint16Array(FIRST),
    seconds: new Float64Array(FIRST),
    cost: new Float64Array(FIRST),
    retryAt: new Float64Array(FIRST),
    calls: [],
    reasons: [],
  };
}

/** A row of the columns that a whole event stands for: when it counts, and its place in the stream. */
export function addWhole(columns: EventColumns, at: number, revision: number): void {
  const row = nextRow(columns, at, revision);
  columns.kind[row] = WHOLE;
}

/** `contact`: its number in the campaign; `lastCall`: where the contact's last call stands in `calls`, -1: nowhere. Answers where this one's does. */
export function addAttempt(
  columns: EventColumns,
  { type, data }: AttemptEvent,
  revision: number,
  contact: number,
  lastCall: number,
): number {
  const row = nextRow(columns, millisOf(data.at), revision);
  const call = columns.calls[lastCall] === data.callId ? lastCall : columns.calls.push(data.callId) - 1;
  columns.kind[row] = KINDS.indexOf(type) + 1;
  columns.contact[row] = contact;
  columns.call[row] = call;
  columns.attempt[row] = data.attempt;
  if (type === "ContactDialed") return call;
  columns.reason[row] = placeOf(columns.reasons, data.endReason);
  columns.seconds[row] = data.durationSeconds ?? Number.NaN;
  columns.cost[row] = data.cost ?? Number.NaN;
  const retryAt = type === "ContactAttemptFailed" ? data.retryAt : null;
  columns.retryAt[row] = retryAt === null ? Number.NaN : millisOf(retryAt);
  return call;
}

function placeOf(reasons: EndReason[], reason: EndReason): number {
  const known = reasons.indexOf(reason);
  return known >= 0 ? known : reasons.push(reason) - 1;
}

function nextRow(columns: EventColumns, at: number, revision: number): number {
  if (columns.length === columns.at.length) grow(columns);
  const row = columns.length;
  columns.length += 1;
  columns.at[row] = at;
  columns.latest[row] = Math.max(at, row === 0 ? Number.NEGATIVE_INFINITY : (columns.latest[row - 1] ?? at));
  columns.revision[row] = revision;
  return row;
}

/** By a quarter: little is kept empty. */
function grow(columns: EventColumns): void {
  const size = Math.ceil(columns.length * 1.25);
  const float = (old: Float64Array) => copied(old, new Float64Array(size));
  columns.at = float(columns.at);
  columns.latest = float(columns.latest);
  columns.seconds = float(columns.seconds);
  columns.cost = float(columns.cost);
  columns.retryAt = float(columns.retryAt);
  columns.revision = copied(columns.revision, new Int32Array(size));
  columns.contact = copied(columns.contact, new Int32Array(size));
  columns.call = copied(columns.call, new Int32Array(size));
  columns.kind = copied(columns.kind, new Uint8Array(size));
  columns.reason = copied(columns.reason, new Uint8Array(size));
  columns.attempt = copied(columns.attempt, new Uint16Array(size));
}

function copied<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

const ROW_BYTES = 5 * 8 + 3 * 4 + 2 + 2;
const CALL_BYTES = 64;

export function bytesOfColumns({ at, calls }: EventColumns): number {
  return at.length * ROW_BYTES + calls.length * CALL_BYTES;
}

/** How many rows from the first on had all happened by `at`. */
export function rowsUntil({ latest, length }: EventColumns, at: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((latest[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** No fold looks at them, so they are not kept. */
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

/** The event of a row as far as folds look at it. */
export function attemptAt(
  columns: EventColumns,
  row: number,
  campaignId: CampaignId,
  contactId: ContactId,
): CampaignEvent {
  const at = instantFromMillis(columns.at[row] ?? 0);
  const callId = columns.calls[columns.call[row] ?? 0] ?? "call_";
  const attempt = columns.attempt[row] ?? 1;
  const begun = { campaignId, at, contactId, callId, attempt };
  const type = KINDS[(columns.kind[row] ?? 1) - 1] ?? "ContactDialed";
  const { phoneNumber, evidence, maxAttempts } = NOT_KEPT;
  if (type === "ContactDialed")
    return { type, data: { ...begun, phoneNumber, dialAt: at, dialBy: at, evidence } };
  const cost = columns.cost[row] ?? Number.NaN;
  const ended = {
    ...begun,
    endReason: columns.reasons[columns.reason[row] ?? 0] ?? "outcome_unknown",
    durationSeconds: numberOr(columns.seconds[row]),
    maxAttempts,
    ...(Number.isNaN(cost) ? {} : { cost }),
  };
  if (type === "ContactSucceeded") return { type, data: ended };
  const retryAt = numberOr(columns.retryAt[row]);
  return { type, data: { ...ended, retryAt: retryAt === null ? null : instantFromMillis(retryAt) } };
}

function numberOr(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
