import type { Instant } from "../shared/instant.ts";
import type { JsonValue } from "../shared/json.ts";
import type { EndReason } from "./end-reason.ts";
import type { AnsweredBy, CallError, CallRequested, CarrierRef, EndedBy, MessageRole } from "./events.ts";

/** Facts of a carrier event: when it happened at the carrier, when we heard of it, under which name and number. null sequence: told by a reply or a look-up. */
export type CarrierFact = {
  readonly carrierRef: CarrierRef;
  readonly sequence: number | null;
  readonly occurredAt: Instant;
  readonly now: Instant;
};

export type CallCommand =
  | { readonly type: "StartCall"; readonly request: CallRequested["data"] }
  /** `invalidText`: failed/invalid_text, with it as the message. `suppressed`: failed/suppressed. After dialBy: failed/not_placed. */
  | {
      readonly type: "BeginDialing";
      readonly now: Instant;
      readonly suppressed: boolean;
      readonly invalidText?: string;
    }
  | { readonly type: "RecordAccepted"; readonly carrierRef: CarrierRef; readonly now: Instant }
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
      readonly by: "api" | "system";
      readonly reason: "api" | "campaign_cancelled" | "max_duration";
      readonly now: Instant;
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
      readonly lookup: "found" | "absent" | "ambiguous" | "unavailable" | null;
    };
