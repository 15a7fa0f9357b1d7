import type {
  SessionEndCause,
  ToolCallId,
  ToolCallOutcome,
  ToolEvidence,
} from "../call/conversation-events.ts";
import type { AnsweredBy } from "../call/events.ts";

export type AskedCall = { readonly id: string; readonly name: string; readonly arguments: string };

export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
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

/** Whatever can happen to a conversation. `generation`, `ticket` and ids name the effect that it answers; what answers none any more is ignored. */
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
  | {
      readonly type: "machine_judged";
      readonly by: "carrier" | "sound";
      readonly answeredBy: AnsweredBy;
      readonly greetingEnded: boolean;
    }
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
  /** The append is durable. `over`: the call had ended, what only a live call takes was left out. */
  | { readonly type: "stored"; readonly ticket: number; readonly over: boolean }
  /** It never will be. */
  | { readonly type: "not_stored"; readonly ticket: number }
  /** Another session speaks for this call, or the call is over: nothing is taken from this one any more. */
  | { readonly type: "superseded" }
  /** Somebody else wants the call to end; the carrier is asked by whoever does. */
  | { readonly type: "end_wished" }
  /** Our wish for the end is durable, or nobody takes it. */
  | { readonly type: "end_asked" };
