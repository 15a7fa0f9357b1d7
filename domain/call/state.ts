import type { CreditUnits } from "../shared/credits.ts";
import { DomainError } from "../shared/errors.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { CarrierIdentity, CarrierRef } from "./carrier-identity.ts";
import type { ToolCallId } from "./conversation-events.ts";
import type { EndReason } from "./end-reason.ts";
import type {
  AnsweredBy,
  CallEndRequested,
  CallMachineJudged,
  CallStatus,
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
  /** Where it was dialled; null: not yet, or before a dial stored it. */
  carrier: CarrierIdentity | null;
  /** Since when it is not known whether the carrier dialled. */
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
  /** Places taken so far: messages, tool calls and handoffs. */
  messages: number;
  /** Place of the message added last. */
  lastMessage: number | null;
  /** Places of the messages that were cut. */
  readonly cut: Set<number>;
  /** Turn of the customer that was last heard of; 0: none yet. */
  turns: number;
  /** Tool calls that began, and those that handed over. */
  readonly toolCalls: Map<ToolCallId, "open" | "ended">;
  /** Of the latest session; 0: the call had none (its carrier may tell the conversation). */
  lastEpoch: number;
  sessionOpen: boolean;
  /** Since when the latest session is open, or closed; null: there was none. */
  sessionSince: Instant | null;
  /** What the carrier told and what was applied, by dedupeKey (events from before: `carrierRef#sequence`). */
  readonly told: Set<string>;
  /** What it told too late, likewise. */
  readonly toldLate: Set<string>;
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
    messages: 0,
    lastMessage: null,
    cut: new Set(),
    turns: 0,
    toolCalls: new Map(),
    lastEpoch: 0,
    sessionOpen: false,
    sessionSince: null,
    told: new Set(),
    toldLate: new Set(),
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
