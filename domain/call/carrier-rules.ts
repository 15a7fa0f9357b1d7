import { type Instant, millisOf } from "../shared/instant.ts";
import type { JsonValue } from "../shared/json.ts";
import type { CarrierRef } from "./carrier-identity.ts";
import type { MessageRole } from "./conversation-events.ts";
import { isLive } from "./deadlines.ts";
import { takesLate, wasApplied, wasRecorded } from "./event-keys.ts";
import type { AnsweredBy, CallConnected, CallEvent, CallRequested } from "./events.ts";
import { policyThatFollows } from "./machine-policy.ts";
import { carrierMoment, momentOf } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

/**
 * A carrier event: when it happened at the carrier, when we received it, under which name. `sequence` is null
 * for carriers that do not number their events.
 */
export type CarrierFact = {
  readonly carrierRef: CarrierRef;
  readonly sequence: number | null;
  readonly occurredAt: Instant;
  readonly now: Instant;
  /** Equal for repeats of the same event; absent when a reply or a look-up reported it. */
  readonly dedupeKey?: string;
};

export const carrierRules = {
  RecordAccepted: recordAccepted,
  RecordRinging: recordRinging,
  RecordAnswered: recordAnswered,
  RecordConversationStarted: recordConversationStarted,
  AddMessage: addMessage,
  RecordRecording: recordRecording,
  FailRecording: failRecording,
};

/**
 * A carrier event is applied once, while the call is live and dialled, and only under the
 * carrierRef that came first.
 */
export function applies(fact: CarrierFact, state: CallState): boolean {
  return isLive(state) && state.dialBeganAt !== null && isOurs(fact, state) && !wasRecorded(fact, state);
}

function isOurs({ carrierRef }: CarrierFact, state: CallState): boolean {
  return state.carrierRef === null || state.carrierRef === carrierRef;
}

/**
 * An event that came too late or under another carrierRef is recorded once, never applied, at most 50 times a
 * call. What a look-up reports has no key of its own and is not recorded.
 */
export function late(fact: CarrierFact, state: ExistingCall, carrierEventType: string): readonly CallEvent[] {
  const { carrierRef, sequence, occurredAt, now } = fact;
  if ((sequence === null && fact.dedupeKey === undefined) || wasRecorded(fact, state)) return [];
  if ((isLive(state) && isOurs(fact, state)) || !takesLate(state)) return [];
  const at = momentOf(state, now);
  return [
    {
      type: "LateCarrierEventRecorded",
      data: {
        callId: state.callId,
        at,
        carrierEventType,
        carrierRef,
        sequence,
        occurredAt,
        ...(fact.dedupeKey === undefined ? {} : { dedupeKey: fact.dedupeKey }),
      },
    },
  ];
}

/**
 * The carrier reports ringing or an answer although the call has ended: that line has to be hung up.
 * Not for a repeat of an event that was applied before the end, and not when the line was transferred:
 * other people talk on it.
 */
export function isLineOfEndedCall(fact: CarrierFact, state: CallState): boolean {
  return state.endedAt !== null && state.endReason !== "transferred" && !wasApplied(fact, state);
}

/** The reply to the dial. */
function recordAccepted(
  { carrierRef, now }: { readonly carrierRef: CarrierRef; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  return recordRinging({ carrierRef, sequence: null, occurredAt: now, now }, state);
}

function recordRinging(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "ringing");
  if (state.status !== "initiating") return [];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return [
    {
      type: "CallRinging",
      data: { callId: state.callId, at, ...identityOf(fact) },
    },
  ];
}

/**
 * A first word on the line may have proved the answer before the carrier reports it. `answeredBy` is then
 * recorded as the carrier's verdict, unless there is one already.
 */
function recordAnswered(
  fact: CarrierFact & { readonly answeredBy: AnsweredBy },
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "answered");
  if (state.connectedAt === null) return [connected(state, fact, identityOf(fact))];
  if (fact.answeredBy === "unknown" || state.answeredBy !== "unknown" || state.machineVerdict !== null)
    return [];
  const { answeredBy, dedupeKey } = fact;
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  const judged: CallEvent = {
    type: "CallMachineJudged",
    data: {
      callId: state.callId,
      at,
      answeredBy,
      by: "carrier",
      afterMillis: Math.max(0, millisOf(at) - millisOf(state.connectedAt)),
      greetingEnded: false,
      policyApplied: policyThatFollows({ answeredBy, occurredAt: at }, state),
      ...(dedupeKey === undefined ? {} : { dedupeKey }),
    },
  };
  return [judged];
}

/**
 * A conversation proves an answer that the carrier did not report. When the call has a session, only the
 * session reports the conversation.
 */
function recordConversationStarted(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "conversation_started");
  return state.status === "in_progress" || state.lastEpoch > 0
    ? []
    : [...provenAnswer(fact, state), inProgress(fact, state, identityOf(fact))];
}

type Message = {
  readonly role: MessageRole;
  readonly assistantId: CallRequested["data"]["assistant"]["assistantId"] | null;
  readonly content: string;
  readonly toolId?: string;
  readonly toolName?: string;
  readonly arguments?: JsonValue;
  readonly result?: JsonValue;
  readonly isError?: boolean;
};

function addMessage(
  fact: CarrierFact & { readonly message: Message },
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "message");
  const proof =
    state.status === "in_progress"
      ? []
      : [...provenAnswer(fact, state), inProgress(fact, state, unidentified(fact))];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  const since = state.connectedAt ?? at;
  const message = {
    ...fact.message,
    index: state.messages,
    at,
    offsetMs: Math.max(0, millisOf(at) - millisOf(since)),
  };
  return [
    ...proof,
    {
      type: "CallMessageAdded",
      data: { callId: state.callId, at, message, ...identityOf(fact) },
    },
  ];
}

function provenAnswer(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (state.connectedAt !== null) return [];
  return [connected(state, { ...fact, answeredBy: "unknown" }, unidentified(fact))];
}

/**
 * The answer that another event proves; null while the carrier's name of the call is not
 * known, or before the dial.
 */
export function impliedAnswer(
  state: ExistingCall,
  answer: Answer & { readonly carrierRef?: CarrierRef },
): CallConnected | null {
  const carrierRef = answer.carrierRef ?? state.carrierRef;
  if (carrierRef === null || state.dialBeganAt === null) return null;
  return connected(state, answer, { carrierRef, sequence: null });
}

type Answer = {
  readonly answeredBy: AnsweredBy;
  readonly occurredAt: CarrierFact["occurredAt"];
  readonly now: CarrierFact["now"];
};

function connected(state: ExistingCall, answer: Answer, identity: EventIdentity): CallConnected {
  const at = carrierMoment(state, answer.occurredAt, answer.now);
  return {
    type: "CallConnected",
    data: { callId: state.callId, at, answeredBy: answer.answeredBy, ...identity },
  };
}

function inProgress(fact: CarrierFact, state: ExistingCall, identity: EventIdentity): CallEvent {
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return { type: "CallConversationStarted", data: { callId: state.callId, at, ...identity } };
}

type EventIdentity = Pick<CallConnected["data"], "carrierRef" | "sequence" | "dedupeKey">;

/** What our event stores of the carrier event that caused it. */
export function identityOf({ carrierRef, sequence, dedupeKey }: CarrierFact): EventIdentity {
  return dedupeKey === undefined ? { carrierRef, sequence } : { carrierRef, sequence, dedupeKey };
}

/** For an event that follows from another one: the carrier may still report it. */
function unidentified({ carrierRef }: CarrierFact): EventIdentity {
  return { carrierRef, sequence: null };
}

type Recording = { readonly status: "available" | "failed"; readonly recordingRef: string | null };

/**
 * The recording comes after the end. A repeat changes nothing, nor does a recording of a call
 * that nobody answered.
 */
function recordRecording(fact: CarrierFact & Recording, state: ExistingCall): readonly CallEvent[] {
  if (!isOurs(fact, state)) return late(fact, state, "recording");
  if (
    state.connectedAt === null ||
    state.recordingStatus === "available" ||
    state.recordingStatus === "failed"
  )
    return [];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  const { status, recordingRef } = fact;
  return [
    {
      type: "CallRecordingAvailable",
      data: { callId: state.callId, at, status, recordingRef, ...identityOf(fact) },
    },
  ];
}

/**
 * Of a recording that is there or is to come, and not of one that was erased. `reason`: a sentence of ours.
 */
function failRecording(
  { reason, now }: { readonly reason: string; readonly now: Instant },
  state: ExistingCall,
): readonly CallEvent[] {
  const { callId, carrierRef, recordingStatus, contentErased } = state;
  if (
    (recordingStatus !== "available" && recordingStatus !== "pending") ||
    contentErased ||
    carrierRef === null
  )
    return [];
  const reported = { carrierRef, sequence: null, status: "failed", recordingRef: null, reason } as const;
  return [{ type: "CallRecordingAvailable", data: { callId, at: momentOf(state, now), ...reported } }];
}
