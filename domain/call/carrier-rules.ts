import type { Of } from "../shared/decider.ts";
import { millisOf } from "../shared/instant.ts";
import type { CarrierRef } from "./carrier-identity.ts";
import type { CallCommand, CarrierFact } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import type { AnsweredBy, CallConnected, CallEvent } from "./events.ts";
import { carrierMoment, momentOf } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";
import { takesLate, wasApplied, wasTold } from "./told.ts";

/** The carrier's word counts once it was dialled, while the call is live, under the name that the carrier gave it first, and once. */
export function applies(fact: CarrierFact, state: CallState): boolean {
  return isLive(state) && state.dialBeganAt !== null && isOurs(fact, state) && !wasTold(fact, state);
}

function isOurs({ carrierRef }: CarrierFact, state: CallState): boolean {
  return state.carrierRef === null || state.carrierRef === carrierRef;
}

/**
 * Too late, or under a foreign name: recorded once, never applied, and at most 50 times a call. What a look-up tells (without a name of its own) leaves
 * no trace.
 */
export function late(fact: CarrierFact, state: ExistingCall, carrierEventType: string): readonly CallEvent[] {
  const { carrierRef, sequence, occurredAt, now } = fact;
  if ((sequence === null && fact.dedupeKey === undefined) || wasTold(fact, state)) return [];
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
 * A line rings or was answered whose call is over: nobody needs it any more. Not when it is only told again what was applied then, nor when the line was
 * handed on: others talk on it.
 */
export function isLineOfEndedCall(fact: CarrierFact, state: CallState): boolean {
  const isHandedOn = state.endRequested?.reason === "transferred";
  return state.endedAt !== null && !isHandedOn && !wasApplied(fact, state);
}

export function recordRinging(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "ringing");
  if (state.status !== "initiating") return [];
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return [
    {
      type: "CallRinging",
      data: { callId: state.callId, at, ...toldBy(fact) },
    },
  ];
}

/** Who answered may be told after the first word on the line proved the answer: then it is a verdict of the carrier, unless there is one. */
export function recordAnswered(
  fact: Of<CallCommand, "RecordAnswered">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "answered");
  if (state.connectedAt === null) return [connected(state, fact, toldBy(fact))];
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
      policyApplied: null,
      ...(dedupeKey === undefined ? {} : { dedupeKey }),
    },
  };
  return [judged];
}

/** A conversation, or words in it, prove the answer that was not told. Of a call with a session only the session tells it. */
export function recordConversationStarted(
  fact: Of<CallCommand, "RecordConversationStarted">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "conversation_started");
  return state.status === "in_progress" || state.lastEpoch > 0
    ? []
    : [...provenAnswer(fact, state), inProgress(fact, state, toldBy(fact))];
}

export function addMessage(fact: Of<CallCommand, "AddMessage">, state: ExistingCall): readonly CallEvent[] {
  if (!applies(fact, state)) return late(fact, state, "message");
  const proof =
    state.status === "in_progress"
      ? []
      : [...provenAnswer(fact, state), inProgress(fact, state, untold(fact))];
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
      data: { callId: state.callId, at, message, ...toldBy(fact) },
    },
  ];
}

function provenAnswer(fact: CarrierFact, state: ExistingCall): readonly CallEvent[] {
  if (state.connectedAt !== null) return [];
  return [connected(state, { ...fact, answeredBy: "unknown" }, untold(fact))];
}

/** The answer that something else proves; null while the carrier's name of the call is not known, or it was not even dialled. */
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

function connected(state: ExistingCall, answer: Answer, told: ToldBy): CallConnected {
  const at = carrierMoment(state, answer.occurredAt, answer.now);
  return {
    type: "CallConnected",
    data: { callId: state.callId, at, answeredBy: answer.answeredBy, ...told },
  };
}

function inProgress(fact: CarrierFact, state: ExistingCall, told: ToldBy): CallEvent {
  const at = carrierMoment(state, fact.occurredAt, fact.now);
  return { type: "CallConversationStarted", data: { callId: state.callId, at, ...told } };
}

type ToldBy = Pick<CallConnected["data"], "carrierRef" | "sequence" | "dedupeKey">;

/** What an event keeps of the carrier's event that it was born of. */
export function toldBy({ carrierRef, sequence, dedupeKey }: CarrierFact): ToldBy {
  return dedupeKey === undefined ? { carrierRef, sequence } : { carrierRef, sequence, dedupeKey };
}

/** Of an event that another one proves: the carrier may still tell it. */
function untold({ carrierRef }: CarrierFact): ToldBy {
  return { carrierRef, sequence: null };
}

/** The recording comes after the end; one that was told, or that no answer can have, changes nothing. */
export function recordRecording(
  fact: Of<CallCommand, "RecordRecording">,
  state: ExistingCall,
): readonly CallEvent[] {
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
      data: { callId: state.callId, at, status, recordingRef, ...toldBy(fact) },
    },
  ];
}
