import { millisOf } from "../shared/instant.ts";
import type { CallCommand, CarrierFact } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import type { AnsweredBy, CallEvent } from "./events.ts";
import { carrierMoment, momentOf } from "./moment.ts";
import { type CallState, type ExistingCall, toldKey } from "./state.ts";

type Of<Type extends CallCommand["type"]> = Extract<CallCommand, { readonly type: Type }>;

/** The carrier's word counts once it was dialled, while the call is live, under the name that the carrier gave it first, and once. */
export function applies(fact: CarrierFact, state: CallState): boolean {
  return isLive(state) && state.dialBeganAt !== null && isOurs(fact, state) && !wasTold(fact, state);
}

function isOurs({ carrierRef }: CarrierFact, state: CallState): boolean {
  return state.carrierRef === null || state.carrierRef === carrierRef;
}

function wasTold({ carrierRef, sequence }: CarrierFact, state: CallState): boolean {
  return sequence !== null && state.told.has(toldKey(carrierRef, sequence));
}

/** Too late, or under a foreign name: recorded once, never applied. What a look-up tells (no sequence) leaves no trace. */
export function late(fact: CarrierFact, state: ExistingCall, carrierEventType: string): readonly CallEvent[] {
  const { carrierRef, sequence, occurredAt, now } = fact;
  if (sequence === null || wasTold(fact, state)) return [];
  if (isLive(state) && isOurs(fact, state)) return [];
  const at = momentOf(state, now);
  return [
    {
      type: "LateCarrierEventRecorded",
      data: { callId: state.callId, at, carrierEventType, carrierRef, sequence, occurredAt },
    },
  ];
}

/**
 * Whether something that this event overtook is worth waiting for: before an answer nothing is, after it each message counts.
 */
export function overtakes(state: CallState, sequence: number, type: string, answered: boolean): boolean {
  if (!isLive(state) && type !== "recording") return false;
  if (type === "ringing" || type === "answered" || (type === "ended" && !answered)) return false;
  return sequence > state.highestSequence + 1;
}

export function recordRinging(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "ringing");
  if (state.status !== "initiating") return [];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return [
    {
      type: "CallRinging",
      data: { callId: state.callId, at, carrierRef: fact.carrierRef, sequence: fact.sequence },
    },
  ];
}

export function recordAnswered(fact: Of<"RecordAnswered">, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "answered");
  return state.connectedAt === null ? connected(fact, state, fact.answeredBy, fact.sequence) : [];
}

/** A conversation, or words in it, prove the answer that was not told. */
export function recordConversationStarted(
  fact: Of<"RecordConversationStarted">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "conversation_started");
  return state.status === "in_progress"
    ? []
    : [...provenAnswer(fact, state), ...inProgress(fact, state, fact.sequence)];
}

export function addMessage(fact: Of<"AddMessage">, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "message");
  const proof =
    state.status === "in_progress" ? [] : [...provenAnswer(fact, state), ...inProgress(fact, state, null)];
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
      data: { callId: state.callId, at, message, carrierRef: fact.carrierRef, sequence: fact.sequence },
    },
  ];
}

function provenAnswer(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  return state.connectedAt === null ? connected(fact, state, "unknown", null) : [];
}

function connected(
  fact: CarrierFact,
  state: ExistingCall,
  answeredBy: AnsweredBy,
  sequence: number | null,
): readonly CallEvent[] {
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return [
    {
      type: "CallConnected",
      data: { callId: state.callId, at, answeredBy, carrierRef: fact.carrierRef, sequence },
    },
  ];
}

function inProgress(fact: CarrierFact, state: ExistingCall, sequence: number | null): readonly CallEvent[] {
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return [
    {
      type: "CallConversationStarted",
      data: { callId: state.callId, at, carrierRef: fact.carrierRef, sequence },
    },
  ];
}

/** The recording comes after the end; one that was told, or that no answer can have, changes nothing. */
export function recordRecording(fact: Of<"RecordRecording">, state: ExistingCall): readonly CallEvent[] {
  if (!isOurs(fact, state)) return late(fact, state, "recording");
  if (
    state.connectedAt === null ||
    state.recordingStatus === "available" ||
    state.recordingStatus === "failed"
  )
    return [];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  const { status, recordingRef, carrierRef, sequence } = fact;
  return [
    {
      type: "CallRecordingAvailable",
      data: { callId: state.callId, at, status, recordingRef, carrierRef, sequence },
    },
  ];
}
