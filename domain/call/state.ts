import type { CreditUnits } from "../shared/credits.ts";
import { DomainError } from "../shared/errors.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { CarrierIdentity, CarrierRef } from "./carrier-identity.ts";
import type { ToolCallId } from "./conversation-events.ts";
import type { EndReason } from "./end-reason.ts";
import type {
  AnalysisId,
  AnsweredBy,
  CallEndRequested,
  CallMachineJudged,
  CallOptedOut,
  CallStatus,
  RecordingStatus,
  VoicemailPolicy,
} from "./events.ts";

/** When who was called is to be called again. */
export type AgreedCallback = {
  readonly callbackAt: Instant;
  readonly zone: string;
  readonly agreedAt: Instant;
  /** Of the tool call that agreed it. */
  readonly messageIndex: number;
};

/** What the rules of a call read. `status` null: the call does not exist. */
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
  /** Carrier instance of the dial; null: not dialled yet, or dialled by a release that did not store it. */
  carrier: CarrierIdentity | null;
  /** Since when it is unknown whether the carrier dialled. */
  outcomeUnknownAt: Instant | null;
  carrierRef: CarrierRef | null;
  ringingAt: Instant | null;
  connectedAt: Instant | null;
  /** The last verdict. */
  answeredBy: AnsweredBy | null;
  machineVerdict: Pick<
    CallMachineJudged["data"],
    "answeredBy" | "by" | "greetingEnded" | "policyApplied"
  > | null;
  voicemailPolicy: VoicemailPolicy | null;
  /** Indexes used so far, by messages, tool calls and handoffs. */
  messages: number;
  /** Index of the last message. */
  lastMessage: number | null;
  /** Indexes of messages that were cut. */
  readonly cut: Set<number>;
  /** The customer's latest turn; 0: none yet. */
  turns: number;
  /** Tool calls that began, and those that handed over. */
  readonly toolCalls: Map<ToolCallId, "open" | "ended">;
  /** Epoch of the latest session; 0: none (the carrier may report the conversation). */
  lastEpoch: number;
  sessionOpen: boolean;
  /** When the latest session opened or closed; null: there was none. */
  sessionSince: Instant | null;
  /** Keys of the carrier events that were applied: dedupeKey or, in older events, `carrierRef#sequence`. */
  readonly appliedKeys: Set<string>;
  /** Keys of those that came too late. */
  readonly lateKeys: Set<string>;
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
  /** Who was called asked never to be called again; null: not so. */
  optedOut:
    | (Pick<CallOptedOut["data"], "by" | "messageIndex" | "saidAt"> & { readonly revoked: boolean })
    | null;
  /** The call that is due by the latest agreement; null: none, taken back, or the opt-out beats it. */
  callback: AgreedCallback | null;
  /** Wishes to know what it brought home, answered or not. */
  readonly analyses: Set<AnalysisId>;
  /** The one that has no answer yet. */
  pendingAnalysis: AnalysisId | null;
  /** Its texts were erased. */
  contentErased: boolean;
  /** Time of the last event. Times of a call never decrease. */
  lastAt: Instant | null;
};

/** A call that exists; the rules need that. */
export type ExistingCall = CallState & { readonly callId: CallId };

function isExisting(state: CallState): state is ExistingCall {
  return state.callId !== null;
}

export function existing(state: CallState): ExistingCall {
  if (!isExisting(state)) throw new DomainError("call.not-found", "There is no such call");
  return state;
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
    carrier: null,
    outcomeUnknownAt: null,
    carrierRef: null,
    ringingAt: null,
    connectedAt: null,
    answeredBy: null,
    machineVerdict: null,
    voicemailPolicy: null,
    messages: 0,
    lastMessage: null,
    cut: new Set(),
    turns: 0,
    toolCalls: new Map(),
    lastEpoch: 0,
    sessionOpen: false,
    sessionSince: null,
    appliedKeys: new Set(),
    lateKeys: new Set(),
    endRequested: null,
    endedAt: null,
    endReason: null,
    durationSeconds: null,
    cost: null,
    recordingStatus: null,
    optedOut: null,
    callback: null,
    analyses: new Set(),
    pendingAnalysis: null,
    contentErased: false,
    lastAt: null,
  };
}
