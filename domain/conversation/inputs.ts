import type {
  SessionEndCause,
  ToolCallId,
  ToolCallOutcome,
  ToolEvidence,
} from "../call/conversation-events.ts";
import type { AnsweredBy, VoicemailPolicy } from "../call/events.ts";
import type { JsonObject } from "../shared/json.ts";

export type AskedCall = {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** What else its server sent with the call, and wants back with it; that of `function` under this name. */
  readonly fields?: JsonObject;
};

export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  /** A complete call; the arguments are the model's text and may be invalid JSON. */
  | { readonly kind: "tool_call"; readonly call: AskedCall }
  | {
      readonly kind: "end";
      readonly reason: "stop" | "tool_calls" | "length" | "content_filter";
      readonly model: string;
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
    };

export type ToolAnswer = {
  readonly outcome: ToolCallOutcome;
  readonly shown: string;
  readonly isError: boolean;
  readonly evidence: ToolEvidence;
};

export type Verdict = {
  readonly answeredBy: AnsweredBy;
  readonly greetingEnded: boolean;
} & (
  | { readonly by: "sound" }
  /** The policy that follows, as the log has it; null: none. */
  | { readonly by: "carrier"; readonly policyApplied: VoicemailPolicy | null }
);

/**
 * Everything that can happen to a conversation. `generation`, `ticket` and ids name the effect that is
 * answered. An answer to an effect that is over is ignored.
 */
export type Input =
  | { readonly type: "begun" }
  | { readonly type: "time" }
  | { readonly type: "speech_started" }
  | {
      readonly type: "customer_said";
      readonly text: string;
      readonly language: string | null;
      readonly continues: boolean;
    }
  | { readonly type: "heard_whole"; readonly utteranceId: number }
  | {
      readonly type: "cut";
      readonly utteranceId: number;
      readonly heard: string | null;
      readonly heardMillis: number | null;
      readonly precision: "exact" | "estimated";
    }
  | { readonly type: "digit"; readonly digit: string }
  | { readonly type: "silence" }
  | ({ readonly type: "machine_judged" } & Verdict)
  | { readonly type: "closed"; readonly cause: SessionEndCause }
  | { readonly type: "model_part"; readonly generation: number; readonly part: AnswerPart }
  | {
      readonly type: "model_failed";
      readonly generation: number;
      readonly kind: string;
      readonly retryAfterMillis: number | null;
    }
  | { readonly type: "tool_ended"; readonly toolCallId: ToolCallId; readonly answer: ToolAnswer }
  | { readonly type: "transfer_answered"; readonly answer: "begun" | "unsupported" | "refused" }
  /** Whether the log says the opt-out that was heard; null: it could not be read. */
  | { readonly type: "opt_out_checked"; readonly stands: boolean | null }
  /** The append is durable. `over`: the call had ended, so what only a live call accepts was left out. */
  | { readonly type: "stored"; readonly ticket: number; readonly over: boolean }
  /** The append failed for good. */
  | { readonly type: "not_stored"; readonly ticket: number }
  /**
   * Another session has taken over, or the call has ended: commands of this session are refused from here on.
   */
  | { readonly type: "superseded" }
  /** The end was requested elsewhere; that process asks the carrier to hang up. */
  | { readonly type: "end_wished" }
  /** Our request to end is durable, or was refused. */
  | { readonly type: "end_asked" };
