import type { ErasureId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonValue } from "../shared/json.ts";
import type { CarrierIdentity, CarrierRef } from "./carrier-identity.ts";
import type {
  CallHandedOver,
  CallMessage,
  CallSpeechCut,
  CallToolBegan,
  CallToolEnded,
  MessageRole,
  SessionEndCause,
  SessionKind,
} from "./conversation-events.ts";
import type { Reachable } from "./deadlines.ts";
import type { EndReason } from "./end-reason.ts";
import type { AnsweredBy, CallError, CallRequested, EndedBy, EndWishBy, EndWishReason } from "./events.ts";

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

/**
 * A fact of a conversation. `epoch` is that of its session; any but the latest, or a closed one, is
 * refused with DomainError "call.session-over". `at` is when it happened. For 3 s after the end of the
 * call, AddUtterance, CutSpeech, RecordDigits and EndTool (with `at` not after the end) and EndSession are
 * still accepted. Everything else is refused with "call.over", and so is every text once the content of
 * the call was erased.
 */
export type SessionFact = { readonly epoch: number; readonly at: Instant; readonly now: Instant };

type Counted = "callId" | "at" | "epoch" | "messageIndex" | "offsetMs";

export type CallCommand =
  | { readonly type: "StartCall"; readonly request: CallRequested["data"] }
  /**
   * `invalidText`: failed/invalid_text, with it as the message. `suppressed`: failed/suppressed. After
   * dialBy, or without a carrier instance (`carrier` null): failed/not_placed.
   */
  | {
      readonly type: "BeginDialing";
      readonly now: Instant;
      readonly suppressed: boolean;
      readonly carrier: CarrierIdentity | null;
      readonly invalidText?: string;
    }
  | { readonly type: "RecordAccepted"; readonly carrierRef: CarrierRef; readonly now: Instant }
  /** It is proved that nobody was rung and nobody will be: failed/not_placed. */
  | { readonly type: "RecordNeverDialled"; readonly proof: string; readonly now: Instant }
  | {
      readonly type: "RecordRejected";
      readonly endReason: EndReason;
      readonly error: CallError | null;
      readonly now: Instant;
    }
  | { readonly type: "RecordUnknownOutcome"; readonly cause: string; readonly now: Instant }
  | ({ readonly type: "RecordRinging" } & CarrierFact)
  | ({ readonly type: "RecordAnswered"; readonly answeredBy: AnsweredBy } & CarrierFact)
  | ({ readonly type: "RecordConversationStarted" } & CarrierFact)
  | ({
      readonly type: "AddMessage";
      readonly message: {
        readonly role: MessageRole;
        readonly assistantId: CallRequested["data"]["assistant"]["assistantId"] | null;
        readonly content: string;
        readonly toolId?: string;
        readonly toolName?: string;
        readonly arguments?: JsonValue;
        readonly result?: JsonValue;
        readonly isError?: boolean;
      };
    } & CarrierFact)
  /** DELETE, cancel with hang-up, maximum duration. Before the dial: failed/canceled at once. */
  | {
      readonly type: "RequestEnd";
      readonly by: EndWishBy;
      readonly reason: EndWishReason;
      readonly now: Instant;
    }
  /**
   * Opens a session: CallSessionBegan with the next epoch. Refused with DomainError "call.over" after the
   * end, and with "call.not-answered" when no answer is known.
   */
  | { readonly type: "BeginSession"; readonly kind: SessionKind; readonly now: Instant }
  | ({ readonly type: "EndSession"; readonly cause: SessionEndCause } & SessionFact)
  /** The first words of the greeting were given to the session: in_progress. */
  | ({ readonly type: "StartConversation" } & SessionFact)
  /** One finished utterance. */
  | ({
      readonly type: "AddUtterance";
      readonly message: Omit<CallMessage, "index" | "at" | "offsetMs">;
    } & SessionFact)
  /** `messageIndex` absent: the last message. A message that was cut already is not cut again. */
  | ({
      readonly type: "CutSpeech";
      readonly messageIndex?: number;
    } & Pick<CallSpeechCut["data"], "heardMillis" | "precision"> & { readonly heard: string } & SessionFact)
  | ({ readonly type: "BeginTool"; readonly tool: Omit<CallToolBegan["data"], Counted> } & SessionFact)
  /** Ignored when the tool call has ended already. */
  | ({
      readonly type: "EndTool";
      readonly result: Omit<CallToolEnded["data"], "callId" | "at" | "epoch">;
    } & SessionFact)
  | ({ readonly type: "HandOver"; readonly handoff: Omit<CallHandedOver["data"], Counted> } & SessionFact)
  /** Their message has the assistant who speaks, as any words of the customer. */
  | ({
      readonly type: "RecordDigits";
      readonly turn: number;
      readonly digits: string;
      readonly assistantId: CallMessage["assistantId"];
    } & SessionFact)
  | ({
      readonly type: "FailTurn";
      readonly turn: number;
      readonly kind: string;
      readonly saidInstead: string | null;
    } & SessionFact)
  /**
   * Who answered, as judged by the carrier (dedupeKey) or from the sound. Which policy follows is told by the
   * conversation that heard it; for the carrier's verdict the call decides it.
   */
  | {
      readonly type: "RecordMachineJudged";
      readonly answeredBy: AnsweredBy;
      readonly by: "carrier" | "sound";
      readonly greetingEnded: boolean;
      readonly policyApplied: CallRequested["data"]["voicemailPolicy"] | null;
      readonly occurredAt: Instant;
      readonly now: Instant;
      /** Absent: a conversation reports it, not the carrier. */
      readonly carrierRef?: CarrierRef;
      readonly dedupeKey?: string;
    }
  | ({
      readonly type: "RecordEnded";
      readonly endReason: EndReason;
      readonly endedBy: EndedBy | null;
      readonly answeredAt: Instant | null;
      readonly answeredBy: AnsweredBy | null;
      readonly recordingExpected: boolean;
      readonly error: CallError | null;
    } & CarrierFact)
  | ({
      readonly type: "RecordRecording";
      readonly status: "available" | "failed";
      readonly recordingRef: string | null;
    } & CarrierFact)
  /** The recording is not kept, or does not come, for this reason (a sentence of ours). */
  | { readonly type: "FailRecording"; readonly reason: string; readonly now: Instant }
  /**
   * Sent by the watchdog. `lookup` is the carrier's answer to a look-up (null: it was not asked). Decides
   * every deadline of docs/api.md §4.
   */
  | {
      readonly type: "ExpireDeadline";
      readonly now: Instant;
      readonly lookup: "found" | "never_dialled" | "absent" | "ambiguous" | "unavailable" | null;
      /** Absent: a session could have arrived all the time. */
      readonly reachable?: Reachable;
    }
  /** Recorded once. The caller checks that the call has ended. */
  | { readonly type: "EraseContent"; readonly erasureId: ErasureId; readonly now: Instant };
