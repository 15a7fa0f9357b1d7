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
import type { EndReason } from "./end-reason.ts";
import type { AnsweredBy, CallError, CallRequested, EndedBy, EndWishBy, EndWishReason } from "./events.ts";

/** Facts of a carrier event: when it happened at the carrier, when we heard of it, under which name. `sequence`: of carriers that number their events, else null. */
export type CarrierFact = {
  readonly carrierRef: CarrierRef;
  readonly sequence: number | null;
  readonly occurredAt: Instant;
  readonly now: Instant;
  /** What makes it the same event when it is told again; absent: told by a reply or a look-up. */
  readonly dedupeKey?: string;
};

/**
 * A word of a conversation: `epoch` is its session's (any but the latest, and a closed one, is refused: DomainError "call.session-over"), `at` when it
 * happened. For 3 s after the call's end AddUtterance, CutSpeech, RecordDigits and EndTool are taken with `at` not after it, and EndSession; everything
 * else is refused: "call.over", and so are words of a call whose words were erased.
 */
export type SessionFact = { readonly epoch: number; readonly at: Instant; readonly now: Instant };

type Counted = "callId" | "at" | "epoch" | "messageIndex" | "offsetMs";

export type CallCommand =
  | { readonly type: "StartCall"; readonly request: CallRequested["data"] }
  /**
   * `invalidText`: failed/invalid_text, with it as the message. `suppressed`: failed/suppressed. After dialBy, or without a far side (`carrier` null):
   * failed/not_placed.
   */
  | {
      readonly type: "BeginDialing";
      readonly now: Instant;
      readonly suppressed: boolean;
      readonly carrier: CarrierIdentity | null;
      readonly invalidText?: string;
    }
  | { readonly type: "RecordAccepted"; readonly carrierRef: CarrierRef; readonly now: Instant }
  /** It is proved that nobody was rung, and nobody will be: failed/not_placed. */
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
  /** A session opens: CallSessionBegan with the next epoch. Of an ended call: DomainError "call.over"; of one that nobody is known to have answered: "call.not-answered". */
  | { readonly type: "BeginSession"; readonly kind: SessionKind; readonly now: Instant }
  | ({ readonly type: "EndSession"; readonly cause: SessionEndCause } & SessionFact)
  /** The first of the greeting was given to the session: in_progress. */
  | ({ readonly type: "StartConversation" } & SessionFact)
  /** One finished utterance. */
  | ({
      readonly type: "AddUtterance";
      readonly message: Omit<CallMessage, "index" | "at" | "offsetMs">;
    } & SessionFact)
  /** `messageIndex` absent: the message that was added last. Of a message that was cut already: nothing. */
  | ({
      readonly type: "CutSpeech";
      readonly messageIndex?: number;
    } & Pick<CallSpeechCut["data"], "heardMillis" | "precision"> & { readonly heard: string } & SessionFact)
  | ({ readonly type: "BeginTool"; readonly tool: Omit<CallToolBegan["data"], Counted> } & SessionFact)
  /** Of a tool call that ended already: nothing. */
  | ({
      readonly type: "EndTool";
      readonly result: Omit<CallToolEnded["data"], "callId" | "at" | "epoch">;
    } & SessionFact)
  | ({ readonly type: "HandOver"; readonly handoff: Omit<CallHandedOver["data"], Counted> } & SessionFact)
  | ({ readonly type: "RecordDigits"; readonly turn: number; readonly digits: string } & SessionFact)
  | ({
      readonly type: "FailTurn";
      readonly turn: number;
      readonly kind: string;
      readonly saidInstead: string | null;
    } & SessionFact)
  /** A verdict about who answered; of the carrier (dedupeKey) or by sound. */
  | {
      readonly type: "RecordMachineJudged";
      readonly answeredBy: AnsweredBy;
      readonly by: "carrier" | "sound";
      readonly greetingEnded: boolean;
      readonly policyApplied: CallRequested["data"]["voicemailPolicy"] | null;
      readonly occurredAt: Instant;
      readonly now: Instant;
      /** Of the carrier's own event; absent: the conversation says it. */
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
  /** The due loop came by: `lookup` is what the carrier answered to our question (null: it was not asked). Decides the end of every deadline of docs/api.md §4. */
  | {
      readonly type: "ExpireDeadline";
      readonly now: Instant;
      readonly lookup: "found" | "never_dialled" | "absent" | "ambiguous" | "unavailable" | null;
    }
  /** Once; whether the call has ended is judged by who asks. */
  | { readonly type: "EraseContent"; readonly erasureId: ErasureId; readonly now: Instant };
