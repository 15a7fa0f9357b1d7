import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallMessage, SessionEndCause, ToolCallOutcome } from "../../domain/call/conversation-events.ts";
import { messageOfDigits } from "../../domain/call/conversation-rules.ts";
import { END_REASONS, type EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, CallCallbackAgreed, CallEvent, CallRequested } from "../../domain/call/events.ts";
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

/** Of a call that no campaign made. */
export function singleRequest(callId: CallId, owner: OwnerId = "usr_1") {
  const at = "2026-09-01T10:00:00.000Z";
  return callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at });
}

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
      ringTimeoutSeconds: 45,
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

type Place = { readonly callId: CallId; readonly at: Instant; readonly epoch: number };

export const NO_EVIDENCE = { status: null, millis: null, bytes: null, sha256: null, host: null, rows: null };

export function sessionBegan(place: Place, gapMillis: number | null): CallEvent {
  return { type: "CallSessionBegan", data: { ...place, kind: "relay", gapMillis } };
}
export function sessionEnded(place: Place, cause: SessionEndCause): CallEvent {
  return { type: "CallSessionEnded", data: { ...place, cause } };
}
/** What the session tells, not the carrier. */
export function spoken(
  { callId, at, epoch }: Place,
  said: Pick<CallMessage, "index" | "role" | "content"> & Partial<CallMessage>,
): CallEvent {
  const assistantId = said.role === "customer" ? null : "ast_1";
  const saidAs = { assistantId, at, offsetMs: 10, ...said } as const;
  return {
    type: "CallMessageAdded",
    data: { callId, at, epoch, carrierRef: null, sequence: null, message: saidAs },
  };
}
export function cut(place: Place, messageIndex: number, heard: string | null): CallEvent {
  const data = { ...place, messageIndex, heard, heardMillis: 700, precision: "exact" } as const;
  return { type: "CallSpeechCut", data };
}
export function toolBegan(
  place: Place,
  tool: { readonly n: number; readonly index: number; readonly turn: number },
): CallEvent {
  return {
    type: "CallToolBegan",
    data: {
      ...place,
      turn: tool.turn,
      messageIndex: tool.index,
      offsetMs: 20,
      toolCallId: `${place.callId}-${tool.n}`,
      toolId: tool.n % 2 === 0 ? null : "tool_1",
      toolName: "look_up",
      assistantId: "ast_1",
      arguments: { order: "4711" },
      repeatable: true,
    },
  };
}
export function toolEnded(
  place: Place,
  n: number,
  outcome: ToolCallOutcome,
  shown: string | null,
): CallEvent {
  const data = { toolCallId: `${place.callId}-${n}`, outcome, shown, isError: outcome !== "answered" };
  return { type: "CallToolEnded", data: { ...place, ...data, evidence: NO_EVIDENCE } };
}
export function handedOver(
  place: Place,
  handoff: { readonly n: number; readonly index: number; readonly turn: number },
): CallEvent {
  return {
    type: "CallHandedOver",
    data: {
      ...place,
      turn: handoff.turn,
      messageIndex: handoff.index,
      offsetMs: 30,
      from: "ast_1",
      to: "ast_2",
      toAssistantVersion: 3,
      toMemberId: "mbr_1",
      toolCallId: `${place.callId}-${handoff.n}`,
      toolName: "to_sales",
      variables: { topic: "price" },
      reason: "asks for a price",
    },
  };
}
export function digits(place: Place, turn: number, pressed: string | null): CallEvent {
  return {
    type: "CallDigitsReceived",
    data: { ...place, turn, digits: pressed, count: pressed?.length ?? 2 },
  };
}
/** Keys as they are stored now: with the customer's message that shows them. null: erased. */
export function keys(
  place: Place,
  { index, turn }: { readonly index: number; readonly turn: number },
  pressed: string | null,
): readonly CallEvent[] {
  const { callId, at, epoch } = place;
  const count = pressed?.length ?? 2;
  const content = pressed === null ? null : messageOfDigits(pressed).content;
  return [
    {
      type: "CallDigitsReceived",
      data: { callId, at, epoch, turn, digits: pressed, count, messageIndex: index },
    },
    spoken(place, { index, role: "customer", content, turn }),
  ];
}
export function judged({ callId, at }: Place, answeredBy: AnsweredBy): CallEvent {
  const data = { callId, at, answeredBy, by: "carrier", afterMillis: 3_000, greetingEnded: true } as const;
  return {
    type: "CallMachineJudged",
    data: { ...data, policyApplied: answeredBy === "machine" ? "hang_up" : null },
  };
}
/** callbackAt null: taken back, or, with what was asked, only noted. */
export function callbackAgreed(
  place: Place,
  messageIndex: number,
  agreed: Pick<CallCallbackAgreed["data"], "asked" | "callbackAt" | "note">,
): CallEvent {
  const zone = agreed.callbackAt === null ? null : "Europe/Istanbul";
  return { type: "CallCallbackAgreed", data: { ...place, messageIndex, moved: false, zone, ...agreed } };
}
export function turnFailed(place: Place, turn: number): CallEvent {
  return { type: "CallTurnFailed", data: { ...place, turn, kind: "model_timeout", saidInstead: "Sorry." } };
}
