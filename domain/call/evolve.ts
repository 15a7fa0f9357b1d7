import { assertNever } from "../shared/errors.ts";
import { dedupeKeyOf, type EventKeys } from "./event-keys.ts";
import type { CallCompleted, CallEvent, CallRequested } from "./events.ts";
import { evolveSession, isSessionEvent } from "./evolve-session.ts";
import type { CallState } from "./state.ts";

/** Accepts every event in every state. Mutates and returns the given state. */
export function evolveCall(state: CallState, event: CallEvent): CallState {
  if (state.lastAt === null || event.data.at > state.lastAt) state.lastAt = event.data.at;
  if (isSessionEvent(event)) return evolveSession(state, event);
  switch (event.type) {
    case "CallRequested":
      return requested(state, event.data);
    case "CallDialingBegan":
      state.dialBeganAt = event.data.at;
      state.carrier = event.data.carrier ?? null;
      return state;
    case "CallRinging":
      state.status = "ringing";
      state.ringingAt = event.data.at;
      return heard(state, event.data);
    case "CallDialOutcomeUnknown":
      state.outcomeUnknownAt = event.data.at;
      return state;
    case "CallConnected":
      state.status = "connected";
      state.connectedAt = event.data.at;
      state.answeredBy = event.data.answeredBy;
      return heard(state, event.data);
    case "CallConversationStarted":
      state.status = "in_progress";
      return heard(state, event.data);
    case "CallMessageAdded":
      state.lastMessage = state.messages;
      state.messages += 1;
      state.turns = Math.max(state.turns, event.data.message.turn ?? 0);
      return heard(state, event.data);
    case "CallEndRequested":
      state.endRequested = { at: event.data.at, by: event.data.by, reason: event.data.reason };
      return state;
    case "CallCompleted":
    case "CallFailed":
      return ended(state, event.type === "CallCompleted" ? "completed" : "failed", event.data);
    case "CallRecordingAvailable":
      state.recordingStatus = event.data.status;
      return heard(state, event.data);
    case "LateCarrierEventRecorded":
      state.lateKeys.add(dedupeKeyOf(event.data) ?? "");
      return state;
    case "CallContentErased":
      state.contentErased = true;
      return state;
    default:
      return assertNever(event);
  }
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

/** The first carrierRef seen is that of the call. */
function heard(state: CallState, keys: EventKeys): CallState {
  state.carrierRef ??= keys.carrierRef;
  const key = dedupeKeyOf(keys);
  if (key !== null) state.appliedKeys.add(key);
  return state;
}
