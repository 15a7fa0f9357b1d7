import { type Folds, foldedBy } from "../shared/decider.ts";
import { dedupeKeyOf, type EventKeys } from "./event-keys.ts";
import type { AnalysisId, CallCompleted, CallEvent, CallRequested } from "./events.ts";
import { sessionFolds } from "./evolve-session.ts";
import type { CallState } from "./state.ts";

export const callFolds: Folds<CallState, CallEvent> = {
  CallRequested: requested,
  CallDialingBegan: (state, { at, carrier }) => {
    state.dialBeganAt = at;
    state.carrier = carrier ?? null;
    return state;
  },
  CallRinging: (state, data) => {
    state.status = "ringing";
    state.ringingAt = data.at;
    return heard(state, data);
  },
  CallDialOutcomeUnknown: (state, { at }) => {
    state.outcomeUnknownAt = at;
    return state;
  },
  CallConnected: (state, data) => {
    state.status = "connected";
    state.connectedAt = data.at;
    state.answeredBy = data.answeredBy;
    return heard(state, data);
  },
  CallConversationStarted: (state, data) => {
    state.status = "in_progress";
    return heard(state, data);
  },
  CallMessageAdded: (state, data) => {
    state.lastMessage = state.messages;
    state.messages += 1;
    state.turns = Math.max(state.turns, data.message.turn ?? 0);
    return heard(state, data);
  },
  CallEndRequested: (state, { at, by, reason }) => {
    state.endRequested = { at, by, reason };
    return state;
  },
  CallCompleted: (state, data) => ended(state, "completed", data),
  CallFailed: (state, data) => ended(state, "failed", data),
  CallRecordingAvailable: (state, data) => {
    state.recordingStatus = data.status;
    return heard(state, data);
  },
  LateCarrierEventRecorded: (state, data) => {
    state.lateKeys.add(dedupeKeyOf(data) ?? "");
    return state;
  },
  ...sessionFolds,
  CallOptedOut: (state, { by, messageIndex, saidAt }) => {
    state.optedOut = { by, messageIndex, saidAt, revoked: false };
    state.callback = null;
    return state;
  },
  CallOptOutRevoked: (state) => {
    if (state.optedOut !== null) state.optedOut = { ...state.optedOut, revoked: true };
    return state;
  },
  CallCallbackAgreed: (state, { at, callbackAt, zone, messageIndex }) => {
    const isDue = callbackAt !== null && zone !== null && state.optedOut === null;
    state.callback = isDue ? { callbackAt, zone, agreedAt: at, messageIndex } : null;
    return state;
  },
  CallAnalysisRequested: (state, { analysisId }) => {
    state.analyses.add(analysisId);
    state.pendingAnalysis = analysisId;
    return state;
  },
  CallAnalysed: answered,
  CallAnalysisFailed: answered,
  CallContentErased: (state) => {
    state.contentErased = true;
    return state;
  },
};

/** Accepts every event in every state. Mutates and returns the given state. */
export function evolveCall(state: CallState, event: CallEvent): CallState {
  if (state.lastAt === null || event.data.at > state.lastAt) state.lastAt = event.data.at;
  return foldedBy(callFolds, state, event);
}

function requested(state: CallState, data: CallRequested["data"]): CallState {
  state.status = "initiating";
  state.callId = data.callId;
  state.owner = data.owner;
  state.campaignId = data.campaignId;
  state.contactId = data.contactId;
  state.attempt = data.attempt;
  state.dialAt = data.dialAt;
  state.dialBy = data.dialBy;
  state.ringTimeoutSeconds = data.ringTimeoutSeconds;
  state.maxDurationSeconds = data.maxDurationSeconds;
  state.pricePerMinute = data.pricePerMinute;
  state.voicemailPolicy = data.voicemailPolicy;
  return state;
}

function ended(state: CallState, status: "completed" | "failed", data: CallCompleted["data"]): CallState {
  state.status = status;
  state.endedAt = data.at;
  state.endReason = data.endReason;
  state.durationSeconds = data.durationSeconds;
  state.cost = data.cost;
  // A recording can come before the end; then its status is set already.
  state.recordingStatus ??= data.recordingStatus;
  return heard(state, data);
}

function answered(state: CallState, { analysisId }: { readonly analysisId: AnalysisId }): CallState {
  if (state.pendingAnalysis === analysisId) state.pendingAnalysis = null;
  return state;
}

/** The first carrierRef seen is that of the call. */
function heard(state: CallState, keys: EventKeys): CallState {
  state.carrierRef ??= keys.carrierRef;
  const key = dedupeKeyOf(keys);
  if (key !== null) state.appliedKeys.add(key);
  return state;
}
