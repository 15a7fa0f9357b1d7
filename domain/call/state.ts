import type { CreditUnits } from "../shared/credits.ts";
import { assertNever } from "../shared/errors.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { EndReason } from "./end-reason.ts";
import type {
  AnsweredBy,
  CallEndRequested,
  CallEvent,
  CallRequested,
  CallStatus,
  CarrierRef,
  RecordingStatus,
} from "./events.ts";

/** What the rules of a call read. `status` null: there is no such call. */
export type CallState = {
  status: CallStatus | null;
  callId: CallId | null;
  owner: OwnerId | null;
  campaignId: CampaignId | null;
  contactId: ContactId | null;
  attempt: number;
  dialAt: Instant | null;
  dialBy: Instant | null;
  ringTimeoutSeconds: number;
  maxDurationSeconds: number;
  pricePerMinute: CreditUnits;
  dialBeganAt: Instant | null;
  /** Since when it is not known whether the carrier dialled. */
  outcomeUnknownAt: Instant | null;
  carrierRef: CarrierRef | null;
  ringingAt: Instant | null;
  connectedAt: Instant | null;
  answeredBy: AnsweredBy | null;
  messages: number;
  /** Highest sequence of the carrier's events that was applied; 0: none yet. */
  highestSequence: number;
  /** What the carrier told already, by `carrierRef#sequence`: applied or recorded as late. */
  readonly told: Set<string>;
  endRequested: {
    readonly at: Instant;
    readonly by: CallEndRequested["data"]["by"];
    readonly reason: CallEndRequested["data"]["reason"];
  } | null;
  endedAt: Instant | null;
  endReason: EndReason | null;
  durationSeconds: number | null;
  cost: CreditUnits | null;
  recordingStatus: RecordingStatus | null;
  /** Its words are gone. */
  contentErased: boolean;
  /** Of the last event: times of a call never go back. */
  lastAt: Instant | null;
};

/** A call that was requested: the rules are about nothing else. */
export type ExistingCall = CallState & { readonly callId: CallId };

export function isExistingCall(state: CallState): state is ExistingCall {
  return state.callId !== null;
}

export function initialCallState(): CallState {
  return {
    status: null,
    callId: null,
    owner: null,
    campaignId: null,
    contactId: null,
    attempt: 0,
    dialAt: null,
    dialBy: null,
    ringTimeoutSeconds: 0,
    maxDurationSeconds: 0,
    pricePerMinute: 0,
    dialBeganAt: null,
    outcomeUnknownAt: null,
    carrierRef: null,
    ringingAt: null,
    connectedAt: null,
    answeredBy: null,
    messages: 0,
    highestSequence: 0,
    told: new Set(),
    endRequested: null,
    endedAt: null,
    endReason: null,
    durationSeconds: null,
    cost: null,
    recordingStatus: null,
    contentErased: false,
    lastAt: null,
  };
}

export function toldKey(carrierRef: CarrierRef, sequence: number): string {
  return `${carrierRef}#${sequence}`;
}

/** Accepts every event in every state. Mutates and answers the state that it is given. */
export function evolveCall(state: CallState, event: CallEvent): CallState {
  if (state.lastAt === null || event.data.at > state.lastAt) state.lastAt = event.data.at;
  switch (event.type) {
    case "CallRequested":
      return requested(state, event.data);
    case "CallDialingBegan":
      state.dialBeganAt = event.data.at;
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
      state.messages += 1;
      return heard(state, event.data);
    case "CallEndRequested":
      state.endRequested = { at: event.data.at, by: event.data.by, reason: event.data.reason };
      return state;
    case "CallCompleted":
    case "CallFailed":
      state.status = event.type === "CallCompleted" ? "completed" : "failed";
      state.endedAt = event.data.at;
      state.endReason = event.data.endReason;
      state.durationSeconds = event.data.durationSeconds;
      state.cost = event.data.cost;
      // A recording that overtook the end is there already.
      state.recordingStatus ??= event.data.recordingStatus;
      return heard(state, event.data);
    case "CallRecordingAvailable":
      state.recordingStatus = event.data.status;
      return heard(state, event.data);
    case "LateCarrierEventRecorded":
      state.told.add(toldKey(event.data.carrierRef, event.data.sequence));
      return state;
    case "CallContentErased":
      state.contentErased = true;
      return state;
    case "CallSessionBegan":
    case "CallSessionEnded":
    case "CallSpeechCut":
    case "CallToolBegan":
    case "CallToolEnded":
    case "CallHandedOver":
    case "CallDigitsReceived":
    case "CallMachineJudged":
    case "CallTurnFailed":
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
  return state;
}

/** The first carrierRef seen is the call's. */
function heard(
  state: CallState,
  { carrierRef, sequence }: { readonly carrierRef: CarrierRef | null; readonly sequence: number | null },
): CallState {
  state.carrierRef ??= carrierRef;
  if (carrierRef === null || sequence === null) return state;
  state.told.add(toldKey(carrierRef, sequence));
  state.highestSequence = Math.max(state.highestSequence, sequence);
  return state;
}
