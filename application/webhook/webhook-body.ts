import type { CallListRecord } from "../../contract/call.ts";
import type { CallEndedBody, CallStartedBody } from "../../contract/webhook-body.ts";
import type { AnsweredBy } from "../../domain/call/events.ts";
import type { ContactAttemptFailed, ContactSucceeded } from "../../domain/campaign/events.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { fitsUtf8, utf8Length } from "../../domain/shared/utf8.ts";
import { type CallWebhookKind, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
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

export function outcomeFrom({ type, data }: ContactSucceeded | ContactAttemptFailed): AttemptOutcome {
  const nextAttemptAt = type === "ContactSucceeded" ? null : data.retryAt;
  return { maxAttempts: data.maxAttempts, isFinalAttempt: nextAttemptAt === null, nextAttemptAt };
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
  const { end, request, answer } = facts;
  if (end === null) return null;
  const eventId = eventIdOf(deps.ids, request.callId, "call.ended");
  const { endReason, endedBy, durationSeconds, cost, at } = end.data;
  const data: WithoutMessages = {
    ...head(eventId, "call.ended", at, facts),
    status: end.type === "CallCompleted" ? "completed" : "failed",
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
    maxAttempts: outcome?.maxAttempts ?? null,
    isFinalAttempt: outcome?.isFinalAttempt ?? null,
    nextAttemptAt: outcome?.nextAttemptAt ?? null,
    contactName: request.contactName,
    customData: request.customData,
  };
  return entryOf(facts, "call.ended", eventId, at, bodyWithin(data, facts.messages));
}

/**
 * Each kind about a call: when it happened by the call's record, and how it is told. `outcome`: what
 * became of the attempt, where the kind waits for it.
 */
export const CALL_ENTRIES: Readonly<Record<CallWebhookKind, CallEntry>> = {
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

/** The same cause is the same event. */
export function eventIdOf(ids: Ids, callId: CallId, kind: CallWebhookKind): string {
  return ids.derivedUuid(`${callId}:${kind}`);
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
