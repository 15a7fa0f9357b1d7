import { type KeptOutcome, outcomeAfter } from "../../application/call/analysis/shown-outcome.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallListRecord } from "../../contract/call.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type {
  AnsweredBy,
  CallCallbackAgreed,
  CallCompleted,
  CallError,
  CallEvent,
  CallFailed,
  CallOptedOut,
  CallRequested,
  CallStatus,
  EndedBy,
  RecordingStatus,
} from "../../domain/call/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { Consent } from "../../domain/policy/policy.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type {
  AssistantId,
  CallId,
  CampaignId,
  ContactId,
  OwnerId,
  PhoneNumberId,
  SquadId,
} from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { type ConversationTally, NOTHING_SAID, tallyAfter } from "./conversation-tally.ts";

/** The fields that never change after the request. */
export type CallRequest = {
  readonly id: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  readonly to: PhoneNumber;
  readonly createdAt: Instant;
  readonly from: PhoneNumber;
  readonly phoneNumberId: PhoneNumberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly squadId: SquadId | null;
  readonly attempt: number;
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
  /** Absent: none was given for the call. */
  readonly consent?: Consent;
};

/** The fields that events change; those of the call record of docs/api.md §4. */
export type CallProgress = {
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  readonly endedBy: EndedBy | null;
  readonly answeredBy: AnsweredBy | null;
  readonly ringingAt: Instant | null;
  readonly connectedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly durationSeconds: number | null;
  readonly cost: number | null;
  readonly recordingStatus: RecordingStatus;
  readonly recordingRef: string | null;
  readonly endRequestedAt: Instant | null;
  readonly statusHistory: readonly { readonly status: CallStatus; readonly at: Instant }[];
  readonly error: CallError | null;
  /** null: nobody has answered. */
  readonly conversation: ConversationTally | null;
  readonly updatedAt: Instant;
  /** Who was called asked never to be called again; absent: not so. */
  readonly optedOut?: NonNullable<CallListRecord["optedOut"]>;
  /** When they want to be called again; absent: not so. */
  readonly callback?: NonNullable<CallListRecord["callback"]>;
  /** What it brought home; absent: nobody has asked, or it is erased. */
  readonly outcome?: KeptOutcome;
  /** Absent: not erased. */
  readonly erased?: true;
};

/** `request` null: it is in the table and not needed for the fold. */
export type CallRow = {
  readonly revision: number;
  readonly owner: OwnerId;
  readonly request: CallRequest | null;
  readonly progress: CallProgress;
};

/** A call begins with its request: events without it make no row. */
export function projectCall(row: CallRow | undefined, recorded: RecordedEvent): CallRow | undefined {
  const { event, revision } = recorded;
  if (!isCallEvent(event)) return row;
  if (event.type === "CallRequested") return row ?? requestedRow(event.data, revision);
  if (row === undefined) return undefined;
  const updatedAt = event.data.at > row.progress.updatedAt ? event.data.at : row.progress.updatedAt;
  const request = event.type === "CallContentErased" && row.request ? wordless(row.request) : row.request;
  return { ...row, revision, request, progress: { ...progressAfter(row.progress, event), updatedAt } };
}

export function wordless({ consent, ...request }: CallRequest): CallRequest {
  const without = { ...request, greetingMessage: null, specialInstructions: null };
  return consent === undefined ? without : { ...without, consent: wordlessConsent(consent) };
}

function wordlessConsent({ reference: _words, ...consent }: Consent): Consent {
  return { ...consent, source: null };
}

export function erasedProgress({ outcome: _words, callback, ...progress }: CallProgress): CallProgress {
  const noteless = callback === undefined ? {} : { callback: { ...callback, note: null } };
  return { ...progress, ...noteless, erased: true, recordingStatus: "none", recordingRef: null };
}

function requestedRow(data: CallRequested["data"], revision: number): CallRow {
  return {
    revision,
    owner: data.owner,
    request: {
      id: data.callId,
      owner: data.owner,
      campaignId: data.campaignId,
      contactId: data.contactId,
      to: data.to,
      createdAt: data.at,
      from: data.from,
      phoneNumberId: data.phoneNumberId,
      assistantId: data.assistant.assistantId,
      assistantVersion: data.assistant.assistantVersion,
      squadId: data.squad?.squadId ?? null,
      attempt: data.attempt,
      greetingMessage: data.greetingMessage,
      specialInstructions: data.specialInstructions,
      metadata: data.metadata,
      ...(data.consent === undefined ? {} : { consent: data.consent }),
    },
    progress: { ...UNDIALLED, statusHistory: [{ status: "initiating", at: data.at }], updatedAt: data.at },
  };
}

const UNDIALLED = {
  status: "initiating",
  endReason: null,
  endedBy: null,
  answeredBy: null,
  ringingAt: null,
  connectedAt: null,
  endedAt: null,
  durationSeconds: null,
  cost: null,
  recordingStatus: "pending",
  recordingRef: null,
  endRequestedAt: null,
  error: null,
  conversation: null,
} as const satisfies Partial<CallProgress>;

function progressAfter(progress: CallProgress, event: Exclude<CallEvent, CallRequested>): CallProgress {
  switch (event.type) {
    case "CallRinging":
      return { ...reached(progress, "ringing", event.data.at), ringingAt: event.data.at };
    case "CallConnected": {
      const { at, answeredBy } = event.data;
      return {
        ...reached(progress, "connected", at),
        connectedAt: at,
        answeredBy,
        conversation: NOTHING_SAID,
      };
    }
    case "CallMachineJudged":
      return { ...progress, answeredBy: event.data.answeredBy };
    case "CallMessageAdded":
    case "CallSessionBegan":
    case "CallSessionEnded":
    case "CallSpeechCut":
    case "CallToolBegan":
    case "CallHandedOver":
      return { ...progress, conversation: tallyAfter(progress.conversation ?? NOTHING_SAID, event) };
    case "CallConversationStarted":
      return reached(progress, "in_progress", event.data.at);
    case "CallEndRequested":
      return { ...progress, endRequestedAt: progress.endRequestedAt ?? event.data.at };
    case "CallCompleted":
      return ended(reached(progress, "completed", event.data.at), event.data, null);
    case "CallFailed":
      return ended(reached(progress, "failed", event.data.at), event.data, event.data.error);
    case "CallRecordingAvailable":
      if (progress.erased === true) return progress;
      return {
        ...progress,
        recordingStatus: event.data.status,
        recordingRef: event.data.recordingRef,
      };
    case "CallOptedOut":
      return withOptOut(progress, event.data);
    case "CallCallbackAgreed":
      return withCallback(progress, event.data);
    case "CallContentErased":
      return erasedProgress(progress);
    case "CallDialingBegan":
    case "CallDialOutcomeUnknown":
    case "LateCarrierEventRecorded":
    case "CallToolEnded":
    case "CallDigitsReceived":
    case "CallTurnFailed":
    case "CallOptOutRevoked":
      return progress;
    case "CallAnalysisRequested":
    case "CallAnalysed":
    case "CallAnalysisFailed":
      return progress.erased === true ? progress : withOutcome(progress, event);
    default:
      return assertNever(event);
  }
}

function withOptOut(
  progress: CallProgress,
  { by, messageIndex, saidAt: at }: CallOptedOut["data"],
): CallProgress {
  return { ...progress, optedOut: { by, messageIndex, at } };
}

function withCallback(
  { callback: _before, ...progress }: CallProgress,
  { asked, callbackAt, zone, note }: CallCallbackAgreed["data"],
): CallProgress {
  return asked === null ? progress : { ...progress, callback: { at: asked, callbackAt, zone, note } };
}

function withOutcome(progress: CallProgress, event: CallEvent): CallProgress {
  const outcome = outcomeAfter(progress.outcome, event);
  return outcome === undefined ? progress : { ...progress, outcome };
}

function reached(progress: CallProgress, status: CallStatus, at: Instant): CallProgress {
  return { ...progress, status, statusHistory: [...progress.statusHistory, { status, at }] };
}

/** A recording that was reported before the end is known already; "pending" in the end is then outdated. */
function ended(
  progress: CallProgress,
  data: CallCompleted["data"] | CallFailed["data"],
  error: CallError | null,
): CallProgress {
  const { endReason, endedBy, at, durationSeconds, cost, recordingStatus } = data;
  return {
    ...progress,
    endReason,
    endedBy,
    endedAt: at,
    durationSeconds,
    cost: unitsToCredits(cost),
    recordingStatus: progress.recordingStatus === "pending" ? recordingStatus : progress.recordingStatus,
    error,
  };
}
