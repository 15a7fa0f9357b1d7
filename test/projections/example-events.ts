import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { END_REASONS, type EndReason } from "../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

type Request = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  readonly attempt: number;
  readonly at: Instant;
};

export function callRequest(request: Request): CallRequested {
  return {
    type: "CallRequested",
    data: {
      ...request,
      from: "+15005550100",
      to: "+15005550006",
      phoneNumberId: "pn_1",
      assistant: {
        assistantId: "ast_1",
        assistantVersion: 2,
        name: "Ada",
        greetingMessage: "Hello {{name}}",
      },
      squad: null,
      contactName: null,
      customData: null,
      greetingMessage: "Hello Zoë",
      specialInstructions: null,
      metadata: { z: 1, a: "ü" },
      voicemailPolicy: "hang_up",
      voicemailMessage: null,
      ringTimeoutSeconds: 60,
      maxDurationSeconds: 600,
      pricePerMinute: 10_000,
      dialAt: request.at,
      dialBy: request.at,
    },
  };
}

/** A request as the log tells it, at this revision of one call's stream; its position is one more. */
export function recordedRequest(revision: number): RecordedEvent {
  const at = "2026-09-01T10:00:00.000Z";
  const event = callRequest({
    callId: "call_1",
    owner: "usr_1",
    campaignId: null,
    contactId: null,
    attempt: 1,
    at,
  });
  const metadata = { correlationId: "c", causationId: null, actor: "a", owner: "usr_1", schemaVersion: 1 };
  const position = String(revision + 1);
  return { id: position, metadata, stream: "call-1", revision, position, created: at, event };
}

export function dialingBegan(callId: CallId, at: Instant): CallEvent {
  return { type: "CallDialingBegan", data: { callId, at } };
}
export function ringing(callId: CallId, at: Instant, carrierRef: string): CallEvent {
  return { type: "CallRinging", data: { callId, at, carrierRef, sequence: 1 } };
}
export function connected(callId: CallId, at: Instant, carrierRef: string): CallEvent {
  return { type: "CallConnected", data: { callId, at, carrierRef, sequence: 2, answeredBy: "human" } };
}
export function talking(callId: CallId, at: Instant, carrierRef: string): CallEvent {
  return { type: "CallConversationStarted", data: { callId, at, carrierRef, sequence: 3 } };
}
export function message(callId: CallId, at: Instant, carrierRef: string, index: number): CallEvent {
  const said = {
    index,
    role: "assistant",
    assistantId: "ast_1",
    content: `Sentence ${index}`,
    at,
    offsetMs: 10,
  } as const;
  return { type: "CallMessageAdded", data: { callId, at, carrierRef, sequence: 4 + index, message: said } };
}
export function callEnd(
  callId: CallId,
  at: Instant,
  endReason: EndReason,
  durationSeconds: number | null,
): CallEvent {
  const data = {
    callId,
    at,
    endReason,
    endedBy: null,
    durationSeconds,
    cost: costOf(durationSeconds),
    recordingStatus: durationSeconds === null ? "none" : "pending",
    carrierRef: null,
    sequence: 8,
  } as const;
  if (END_REASONS[endReason].status === "completed") return { type: "CallCompleted", data };
  return {
    type: "CallFailed",
    data: { ...data, error: { code: endReason, message: "x", carrierCode: null } },
  };
}

/** In ten-thousandths of a credit. */
export function costOf(durationSeconds: number | null): number {
  return durationSeconds === null ? 0 : 12_345;
}
