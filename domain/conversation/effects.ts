import type { ToolCallId } from "../call/conversation-events.ts";
import type { conversationRules } from "../call/conversation-rules.ts";
import type { CallCommand } from "../call/decider.ts";
import type { EndWishBy, EndWishReason } from "../call/events.ts";
import type { Of } from "../shared/decider.ts";
import type { JsonObject } from "../shared/json.ts";
import type { AskedCall } from "./inputs.ts";
import type { OfferedTool, Speaker } from "./script.ts";

export type PromptMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly AskedCall[];
    }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export type PromptTool = {
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly parameters: JsonObject;
};

export type Prompt = {
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly PromptTool[];
  /** null: the default of the speaker's connection. */
  readonly model: string | null;
  /** Of the speaker, as its assistant has it; null or absent: not set. */
  readonly language?: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number;
};

export type SpeechOptions = {
  readonly interruptible: boolean;
  readonly voice: string | null;
  readonly language: string | null;
};

/** What a conversation can append. */
export type SessionCommand = Of<
  CallCommand,
  keyof typeof conversationRules | "EndSession" | "StartConversation" | "RecordMachineJudged"
>;

/** What is to be done, in this order. */
export type Effect =
  | {
      readonly type: "append";
      readonly ticket: number;
      readonly commands: readonly SessionCommand[];
    }
  | {
      readonly type: "say";
      readonly utteranceId: number;
      readonly token: string;
      readonly last: boolean;
      readonly options: SpeechOptions;
    }
  | { readonly type: "clear"; readonly utteranceId: number }
  | {
      readonly type: "ask";
      readonly generation: number;
      readonly speaker: Speaker;
      readonly prompt: Prompt;
      readonly firstPartMillis: number;
      readonly stallMillis: number;
    }
  | { readonly type: "abort"; readonly generation: number }
  | {
      readonly type: "run_tool";
      readonly toolCallId: ToolCallId;
      readonly tool: OfferedTool;
      readonly arguments: JsonObject;
      readonly variables: JsonObject;
    }
  | { readonly type: "abort_tool"; readonly toolCallId: ToolCallId }
  | { readonly type: "transfer"; readonly to: string }
  /** Does the log say the opt-out that was heard? */
  | { readonly type: "check_opt_out" }
  /** The request to end is stored. The carrier is asked to hang up. */
  | {
      readonly type: "request_end";
      readonly by: EndWishBy;
      readonly reason: EndWishReason;
    }
  | { readonly type: "finish" }
  | {
      readonly type: "measured";
      readonly stage: "end_of_turn" | "first_token" | "first_audio";
      readonly millis: number;
    }
  | { readonly type: "used"; readonly inputTokens: number; readonly outputTokens: number }
  /** The last effect of a conversation. */
  | { readonly type: "over" };
