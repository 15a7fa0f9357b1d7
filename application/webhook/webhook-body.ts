import type { CallListRecord } from "../../contract/call.ts";
import type { CallAnalyzedBody, CallEndedBody, CallStartedBody } from "../../contract/webhook-body.ts";
import type { AnsweredBy } from "../../domain/call/events.ts";
import type {
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactSucceeded,
} from "../../domain/campaign/events.ts";
import type { DomainEvent } from "../../domain/events.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { fitsUtf8, utf8Length } from "../../domain/shared/utf8.ts";
import { type CallOnceKind, type CallWebhookKind, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import type { Ids } from "../ports/ids.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";
import type { CallFacts } from "./call-facts.ts";

/** The campaign's decision after the attempt. For a single call its one attempt is the last. */
export type AttemptOutcome = {
  readonly maxAttempts: number;
  readonly isFinalAttempt: boolean;
  readonly nextAttemptAt: Instant | null;
};

export const SINGLE_CALL_OUTCOME: AttemptOutcome = {
  maxAttempts: 1,
  isFinalAttempt: true,
  nextAttemptAt: null,
};

type AttemptEnd = ContactSucceeded | ContactCallbackScheduled | ContactAttemptFailed;

export function isAttemptEnd(event: DomainEvent): event is AttemptEnd {
  return (
    event.type === "ContactSucceeded" ||
    event.type === "ContactCallbackScheduled" ||
    event.type === "ContactAttemptFailed"
  );
}

export function outcomeFrom(event: AttemptEnd): AttemptOutcome {
  const nextAttemptAt = nextAttemptAfter(event);
  return { maxAttempts: event.data.maxAttempts, isFinalAttempt: nextAttemptAt === null, nextAttemptAt };
}

function nextAttemptAfter(event: AttemptEnd): Instant | null {
  if (event.type === "ContactCallbackScheduled") return event.data.callbackAt;
  return event.type === "ContactSucceeded" ? null : event.data.retryAt;
}

const MAX_BODY_BYTES = 256 * 1024;

type BodyDeps = { readonly ids: Ids; readonly publicUrl: () => string };

/** call.started (docs/api.md §7) with what was known at the answer; null while nobody has answered. */
export function startedEntry(deps: BodyDeps, facts: CallFacts): OutboxEntry | null {
  const { answer } = facts;
  if (answer === null) return null;
  const eventId = eventIdOf(deps.ids, facts.request.callId, "call.started");
  const data: CallStartedBody = {
    ...head(eventId, "call.started", answer.at, facts),
    status: "connected",
    ...middle(facts, answer.answeredBy),
  };
  return entryOf(facts, "call.started", eventId, answer.at, JSON.stringify({ event: "call.started", data }));
}

type WithoutMessages = Omit<CallEndedBody, "messages" | "messagesTruncated">;

/** call.ended (docs/api.md §7) with what is known of recording and outcome; null before the end. */
export function endedEntry(
  deps: BodyDeps,
  facts: CallFacts,
  outcome: AttemptOutcome | null,
): OutboxEntry | null {
  const { end } = facts;
  if (end === null) return null;
  const { at } = end.data;
  const eventId = eventIdOf(deps.ids, facts.request.callId, "call.ended");
  const data: WithoutMessages = {
    ...head(eventId, "call.ended", at, facts),
    ...atItsEnd(deps, facts, end, outcome),
  };
  return entryOf(facts, "call.ended", eventId, at, bodyWithin(data, facts.messages));
}

/**
 * call.analyzed (docs/api.md §7) of each analysis, with what is known of recording and attempt; none before
 * the call's end.
 */
export function analyzedEntries(
  deps: BodyDeps,
  facts: CallFacts,
  attempt: AttemptOutcome | null,
): OutboxEntry[] {
  const { end, analyses, request } = facts;
  if (end === null) return [];
  const kind = "call.analyzed";
  return analyses.map(({ analysisId, number, at, outcome }) => {
    const eventId = eventIdOf(deps.ids, request.callId, kind, analysisId);
    const sequence = WEBHOOK_KINDS[kind].sequence + number - 1;
    const data: CallAnalyzedBody = {
      ...head(eventId, kind, at, facts),
      sequence,
      ...atItsEnd(deps, facts, end, attempt),
      outcome,
    };
    const body = JSON.stringify({ event: kind, data });
    return { ...entryOf(facts, kind, eventId, at, body), sequence };
  });
}

function atItsEnd(
  deps: BodyDeps,
  facts: CallFacts,
  end: NonNullable<CallFacts["end"]>,
  outcome: AttemptOutcome | null,
) {
  const { request, answer } = facts;
  const { endReason, endedBy, durationSeconds, cost, at } = end.data;
  return {
    status: end.type === "CallCompleted" ? ("completed" as const) : ("failed" as const),
    ...middle(facts, facts.judgedAs ?? answer?.answeredBy ?? null),
    endReason,
    endedBy,
    connectedAt: answer?.at ?? null,
    endedAt: at,
    durationSeconds,
    ...recordingOf(deps.publicUrl(), facts),
    cost: unitsToCredits(cost),
    error: end.type === "CallFailed" ? end.data.error : null,
    optedOut: optedOutOf(facts),
    callback: facts.callback,
    maxAttempts: outcome?.maxAttempts ?? null,
    isFinalAttempt: outcome?.isFinalAttempt ?? null,
    nextAttemptAt: outcome?.nextAttemptAt ?? null,
    contactName: request.contactName,
    customData: request.customData,
  };
}

/**
 * Each kind that a call has once: when it happened by the call's record, and how it is told. `outcome`: what
 * became of the attempt, where the kind waits for it.
 */
export const CALL_ENTRIES: Readonly<Record<CallOnceKind, CallEntry>> = {
  "call.started": { moment: "connectedAt", entry: startedEntry },
  "call.ended": { moment: "endedAt", entry: endedEntry },
};

type CallEntry = {
  readonly moment: keyof CallListRecord & ("connectedAt" | "endedAt");
  readonly entry: (deps: BodyDeps, facts: CallFacts, outcome: AttemptOutcome | null) => OutboxEntry | null;
};

function head(eventId: string, kind: CallWebhookKind, occurredAt: Instant, facts: CallFacts) {
  const { sequence } = WEBHOOK_KINDS[kind];
  return { eventId, sequence, occurredAt, callId: facts.request.callId };
}

function middle({ request, answer, erased }: CallFacts, answeredBy: AnsweredBy | null) {
  const { from, to, phoneNumberId, assistant, squad, campaignId, contactId, attempt, metadata } = request;
  return {
    type: "outbound" as const,
    from,
    to,
    phoneNumberId,
    assistantId: assistant.assistantId,
    assistantVersion: assistant.assistantVersion,
    squadId: squad?.squadId ?? null,
    campaignId,
    contactId,
    attempt,
    answeredBy,
    createdAt: request.at,
    startedAt: answer?.at ?? null,
    metadata,
    ...(erased ? { erased } : {}),
  };
}

function optedOutOf({ optedOut }: CallFacts): CallEndedBody["optedOut"] {
  if (optedOut === null) return null;
  return { by: optedOut.by, messageIndex: optedOut.messageIndex, at: optedOut.saidAt };
}

function recordingOf(publicUrl: string, { request, end, recording, erased }: CallFacts) {
  if (erased) return { recordingUrl: null, recordingStatus: "none" as const };
  const recordingStatus = recording?.status ?? end?.data.recordingStatus ?? "none";
  const recordingUrl =
    recordingStatus === "available" ? `${publicUrl}/api/v1/calls/${request.callId}/recording` : null;
  return { recordingUrl, recordingStatus };
}

/** The same cause is the same event. `cause`: which of several of the kind. */
export function eventIdOf(ids: Ids, callId: CallId, kind: CallWebhookKind, cause?: string): string {
  return ids.derivedUuid(cause === undefined ? `${callId}:${kind}` : `${callId}:${kind}:${cause}`);
}

function entryOf(
  facts: CallFacts,
  kind: CallWebhookKind,
  eventId: string,
  occurredAt: Instant,
  body: string,
): OutboxEntry {
  const { owner, callId, campaignId } = facts.request;
  const { sequence } = WEBHOOK_KINDS[kind];
  return { eventId, owner, kind, callId, campaignId, sequence, occurredAt, body };
}

/**
 * The JSON with as many messages, from the first on, as the limit allows; `messagesTruncated` says
 * whether some are left out.
 */
function bodyWithin(data: WithoutMessages, messages: CallEndedBody["messages"]): string {
  const whole = JSON.stringify({ event: "call.ended", data: { ...data, messages } });
  if (fitsUtf8(whole, MAX_BODY_BYTES)) return whole;
  const sizes = messages.map((message) => utf8Length(JSON.stringify(message)) + 1);
  const marked = { ...data, messages: [], messagesTruncated: true };
  let room = MAX_BODY_BYTES - utf8Length(JSON.stringify({ event: "call.ended", data: marked }));
  let kept = 0;
  for (const size of sizes) {
    room -= size;
    if (room < 0) break;
    kept += 1;
  }
  return JSON.stringify({ event: "call.ended", data: { ...marked, messages: messages.slice(0, kept) } });
}
