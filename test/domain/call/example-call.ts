import type { CarrierIdentity } from "../../../domain/call/carrier-identity.ts";
import type { CarrierFact } from "../../../domain/call/carrier-rules.ts";
import type { CallCommand } from "../../../domain/call/decider.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";

export const START_MILLIS = Date.parse("2026-09-01T10:00:00.000Z");

/** So many seconds after the call was requested. */
export function at(seconds: number): Instant {
  return instantFromMillis(START_MILLIS + seconds * 1_000);
}

export const REQUEST: CallRequested["data"] = {
  callId: "call_1",
  owner: "usr_1",
  from: "+15005550100",
  to: "+14155550101",
  phoneNumberId: "pn_1",
  assistant: { assistantId: "ast_1", assistantVersion: 2, name: "Ada", greetingMessage: "Hello" },
  squad: null,
  campaignId: null,
  contactId: null,
  contactName: null,
  customData: null,
  attempt: 1,
  greetingMessage: "Hello",
  specialInstructions: null,
  metadata: {},
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
  ringTimeoutSeconds: 45,
  maxDurationSeconds: 600,
  pricePerMinute: 10_000,
  dialAt: at(0),
  dialBy: at(15),
  at: at(0),
};

const callId = "call_1" as const;
export const REF = "carrier-1";

export const requested: CallEvent = { type: "CallRequested", data: REQUEST };
/** Where the calls of examples are dialled. */
export const FAR_SIDE: CarrierIdentity = { kind: "simulated", connectionId: null, instance: "journal-1" };
export const began: CallEvent = {
  type: "CallDialingBegan",
  data: { callId, at: at(1), carrier: FAR_SIDE },
};
export const ringing: CallEvent = {
  type: "CallRinging",
  data: { callId, at: at(2), carrierRef: REF, sequence: 1 },
};
export const unknownOutcome: CallEvent = {
  type: "CallDialOutcomeUnknown",
  data: { callId, at: at(3), cause: "timeout" },
};
export const connected: CallEvent = {
  type: "CallConnected",
  data: { callId, at: at(10), answeredBy: "human", carrierRef: REF, sequence: 2 },
};
export const talking: CallEvent = {
  type: "CallConversationStarted",
  data: { callId, at: at(11), carrierRef: REF, sequence: 3 },
};
export const endWanted: CallEvent = {
  type: "CallEndRequested",
  data: { callId, at: at(20), by: "api", reason: "api" },
};
export const completed: CallEvent = {
  type: "CallCompleted",
  data: {
    callId,
    at: at(40),
    endReason: "customer_ended",
    endedBy: "customer",
    durationSeconds: 30,
    cost: 5_000,
    recordingStatus: "pending",
    carrierRef: REF,
    sequence: 4,
  },
};

export function fact(seconds: number, sequence: number | null, carrierRef = REF): CarrierFact {
  return { carrierRef, sequence, occurredAt: at(seconds), now: at(seconds) };
}

type RecordEnded = Extract<CallCommand, { type: "RecordEnded" }>;

export function ended(
  seconds: number,
  sequence: number | null,
  changes: Partial<RecordEnded> = {},
): RecordEnded {
  return {
    type: "RecordEnded",
    endReason: "customer_ended",
    endedBy: "customer",
    answeredAt: at(10),
    answeredBy: "human",
    recordingExpected: true,
    error: null,
    ...fact(seconds, sequence),
    ...changes,
  };
}
