import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { ContactAttemptRecord, ContactRecord } from "../../contract/contact.ts";
import { END_REASONS } from "../../domain/call/end-reason.ts";
import type {
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactDialed,
  ContactHeld,
  ContactSkipped,
  ContactStatus,
  ContactSucceeded,
  ImportedContact,
} from "../../domain/campaign/events.ts";
import type { DomainEvent } from "../../domain/events.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { CallProgress } from "../calls/call-row.ts";
import { type HoldMoment, type KeptHold, keptHold, shownHold } from "../campaigns/holds.ts";
import { consentRecord } from "../consent-record.ts";

/** The imported fields of a contact, and when it was imported. */
export type ContactFacts = Omit<ImportedContact, "contactId"> & { readonly createdAt: Instant };

/**
 * `optedOut`: on its call the contact asked never to be called again; absent: not so. `callbackAt`: when it
 * agreed on its call to be called again; absent: it did not.
 */
type KeptAttempt = ContactAttemptRecord & { readonly optedOut?: true; readonly callbackAt?: Instant };

/** A contact as its campaign tells of it: what its calls brought home they tell themselves. */
export type CampaignContact = Omit<ContactRecord, "outcome">;

/** The same before it is known whether its hold goes on. */
export type UnjudgedContact = Omit<CampaignContact, "hold"> & { readonly hold: KeptHold | null };

/** The fields that the campaign's events change. */
export type ContactProgress = {
  readonly revision: number;
  readonly status: ContactStatus;
  readonly attempts: readonly KeptAttempt[];
  /** By its retry or callback. */
  readonly nextAttemptAt: Instant | null;
  /** The last one since its last attempt; whether it goes on depends on the moment. */
  readonly hold: KeptHold | null;
  readonly skipReason: ContactRecord["skipReason"];
};

type ContactEvent =
  | ContactDialed
  | ContactSucceeded
  | ContactCallbackScheduled
  | ContactAttemptFailed
  | ContactSkipped
  | ContactHeld;

/** A contact right after its import. */
export const UNCALLED: Omit<ContactProgress, "revision"> = {
  status: "pending",
  attempts: [],
  nextAttemptAt: null,
  hold: null,
  skipReason: null,
};

export function factsOf({ contactId: _id, ...facts }: ImportedContact, createdAt: Instant): ContactFacts {
  return { ...facts, createdAt };
}

export function isContactEvent(event: DomainEvent): event is ContactEvent {
  switch (event.type) {
    case "ContactDialed":
    case "ContactSucceeded":
    case "ContactCallbackScheduled":
    case "ContactAttemptFailed":
    case "ContactSkipped":
    case "ContactHeld":
      return true;
    default:
      return false;
  }
}

/** undefined: the contact has no event yet. Events of contacts that were never imported are not visible. */
export function projectContact(
  row: ContactProgress | undefined,
  { event, revision }: Pick<RecordedEvent, "event" | "revision">,
): ContactProgress | undefined {
  return isContactEvent(event) ? contactAfter({ ...(row ?? UNCALLED), revision }, event) : row;
}

function contactAfter(row: ContactProgress, event: ContactEvent): ContactProgress {
  switch (event.type) {
    case "ContactDialed": {
      const { attempt, callId, at } = event.data;
      const live = {
        attempt,
        callId,
        startedAt: at,
        endedAt: null,
        status: "initiating",
        endReason: null,
        durationSeconds: null,
        cost: null,
      } as const;
      const attempts = [...row.attempts, live];
      return { ...row, status: "dialing", nextAttemptAt: null, hold: null, attempts };
    }
    case "ContactSucceeded":
      return { ...row, status: "succeeded", nextAttemptAt: null, attempts: withEnd(row, event.data) };
    case "ContactCallbackScheduled": {
      const { callbackAt } = event.data;
      const attempts = withEnd(row, event.data);
      return { ...row, status: "waiting_retry", nextAttemptAt: callbackAt, attempts };
    }
    case "ContactAttemptFailed": {
      const { retryAt } = event.data;
      const status = retryAt === null ? "failed" : "waiting_retry";
      return { ...row, status, nextAttemptAt: retryAt, attempts: withEnd(row, event.data) };
    }
    case "ContactSkipped": {
      const { outcome, reason: skipReason } = event.data;
      const skipped = { ...row, attempts: withUnknownCall(row, event.data), skipReason };
      return outcome === "no_retry"
        ? skipped
        : { ...skipped, status: outcome, nextAttemptAt: null, hold: null };
    }
    case "ContactHeld":
      return { ...row, hold: keptHold(event.data) };
    default:
      return assertNever(event);
  }
}

function withEnd(
  { attempts }: ContactProgress,
  data: (ContactSucceeded | ContactCallbackScheduled)["data"],
): KeptAttempt[] {
  const { callId, endReason, durationSeconds, cost, at } = data;
  const { status } = END_REASONS[endReason];
  const credits = cost === undefined ? null : unitsToCredits(cost);
  const ended = { endedAt: at, status, endReason, durationSeconds, cost: credits };
  const end = {
    ...ended,
    ...("optedOut" in data ? { optedOut: data.optedOut } : {}),
    ...("callbackAt" in data ? { callbackAt: data.callbackAt } : {}),
  };
  return attempts.map((attempt) =>
    attempt.callId === callId && attempt.endedAt === null ? { ...attempt, ...end } : attempt,
  );
}

/** A call that the carrier had and the restored log does not know is an attempt as well. */
function withUnknownCall(
  { attempts }: ContactProgress,
  { at, unknownCall }: ContactSkipped["data"],
): readonly KeptAttempt[] {
  if (unknownCall === undefined) return attempts;
  const { callId, calledAt: startedAt } = unknownCall;
  const known = attempts.filter((attempt) => attempt.callId !== callId);
  const attempt = attempts.find((each) => each.callId === callId)?.attempt ?? attempts.length + 1;
  const end = {
    endedAt: at,
    status: "failed",
    endReason: "outcome_unknown",
    durationSeconds: null,
    cost: 0,
  } as const;
  return [...known, { attempt, callId, startedAt, ...end }];
}

/**
 * A cancelled campaign calls nobody any more: contacts never called are skipped, waiting ones have failed.
 */
export function contactAfterCancel(row: ContactProgress, revision: number): ContactProgress {
  const after = { ...row, revision, hold: null };
  if (row.status === "pending") return { ...after, status: "skipped" };
  if (row.status === "waiting_retry") return { ...after, status: "failed", nextAttemptAt: null };
  return row;
}

export function contactRecord(
  id: ContactId,
  { createdAt, consent, ...facts }: ContactFacts,
  progress: Omit<ContactProgress, "revision">,
): UnjudgedContact {
  const { status, attempts, nextAttemptAt, hold, skipReason } = progress;
  const { optedOut, callbackAt, nextAttemptCause } = wishesOf(progress);
  const shown = attempts.map(({ optedOut: _said, callbackAt: _agreed, ...attempt }) => attempt);
  return {
    id,
    ...facts,
    consent: consentRecord(consent),
    status,
    attempts: shown,
    nextAttemptAt,
    nextAttemptCause,
    callbackAt,
    hold,
    skipReason,
    optedOut,
    createdAt,
  };
}

/** What the contact asked for on its calls. */
export function wishesOf({
  status,
  attempts,
}: Pick<ContactProgress, "status" | "attempts">): Pick<
  ContactRecord,
  "optedOut" | "callbackAt" | "nextAttemptCause"
> {
  const optedOut = attempts.some((attempt) => attempt.optedOut === true);
  const waiting = status === "waiting_retry";
  const callbackAt = (waiting && attempts.at(-1)?.callbackAt) || null;
  return {
    optedOut,
    callbackAt,
    nextAttemptCause: waiting ? (callbackAt === null ? "retry" : "callback") : null,
  };
}

/** Calls of attempts whose outcome the campaign has not recorded yet, and those that hold contacts. */
export function liveCallsOf(contacts: readonly UnjudgedContact[]): CallId[] {
  return contacts.flatMap(({ attempts, hold }) => [
    ...attempts.filter(({ endedAt }) => endedAt === null).map(({ callId }) => callId),
    ...(hold?.until === null && hold.heldBy !== null ? [hold.heldBy] : []),
  ]);
}

/** A live attempt shows the current status of its call; a hold is shown while it goes on. */
export function withLiveCalls(
  contact: UnjudgedContact,
  calls: ReadonlyMap<
    CallId,
    Pick<CallProgress, "status" | "endedAt" | "endReason" | "durationSeconds" | "cost">
  >,
  moment: HoldMoment,
): CampaignContact {
  const hold = shownHold(contact.hold, moment, (call) => calls.get(call)?.endedAt != null);
  return {
    ...contact,
    hold,
    nextAttemptAt: latest(contact.nextAttemptAt, hold?.until ?? null),
    attempts: contact.attempts.map((attempt) => {
      const call = attempt.endedAt === null ? calls.get(attempt.callId) : undefined;
      if (call === undefined) return attempt;
      const { endedAt, status, endReason, durationSeconds, cost } = call;
      return { ...attempt, endedAt, status, endReason, durationSeconds, cost };
    }),
  };
}

function latest(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || (other !== null && other > one) ? other : one;
}

/** The call that tells what a contact brought home. */
function lastAnsweredCallOf({ attempts }: CampaignContact): CallId | null {
  return attempts.findLast(({ durationSeconds }) => durationSeconds !== null)?.callId ?? null;
}

/** Contacts with what their last answered calls brought home, by `outcomesOf`. */
export async function withOutcomes(
  contacts: readonly CampaignContact[],
  outcomesOf: (ids: readonly CallId[]) => Promise<ReadonlyMap<CallId, ContactRecord["outcome"]>>,
): Promise<ContactRecord[]> {
  const calls = contacts.map(lastAnsweredCallOf);
  const outcomes = await outcomesOf(calls.filter((id) => id !== null));
  return contacts.map(({ createdAt, ...contact }, index) => {
    const id = calls[index] ?? null;
    return { ...contact, outcome: id === null ? null : (outcomes.get(id) ?? null), createdAt };
  });
}
