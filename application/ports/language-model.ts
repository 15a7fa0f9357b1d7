import type { Prompt, PromptMessage, PromptTool } from "../../domain/conversation/effects.ts";
import type { AskedCall } from "../../domain/conversation/inputs.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

/** The words of the conversation's own rules: what they ask is what a model is given. */
export type ModelToolCall = AskedCall;
export type ModelMessage = PromptMessage;
export type ModelTool = PromptTool;
export type ModelRequest = Prompt;

export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  /** Whole: arguments are the model's text, which may be no JSON. */
  | { readonly kind: "tool_call"; readonly call: ModelToolCall }
  | {
      readonly kind: "end";
      readonly reason: "stop" | "tool_calls" | "length" | "content_filter";
      readonly model: string;
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
    };

export type ModelFailureKind =
  /** The stream ended without saying why. */
  | "cut_off"
  | "first_part_late"
  | "stalled"
  | "garbage"
  | "throttled"
  | "unavailable"
  /** Asked again it would say the same (key, unknown model, bad request). */
  | "refused"
  | "aborted";

/** Thrown by the iteration. `message` is a sentence of ours: no provider text, no key. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterMillis: number | null;
  constructor(kind: ModelFailureKind, message: string, retryAfterMillis: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMillis = retryAfterMillis;
  }
}

export type ModelLimits = {
  /** Aborted: the iteration ends with ModelFailure `aborted`, and the request is closed. */
  readonly signal: AbortSignal;
  readonly firstPartMillis: number;
  readonly stallMillis: number;
};

/** Asks once: no retry, no cache. Always ends with one `end` part, or throws ModelFailure. */
export interface LanguageModel {
  respond(request: ModelRequest, limits: ModelLimits): AsyncIterable<ModelPart>;
}

/** The models that this installation and its owners have. */
export interface LanguageModels {
  /** `connectionId` null: the installation's own (LLM_*), or the scripted one. `seed` makes the scripted one repeatable. Throws ModelFailure `refused` when the connection is gone. */
  open(owner: OwnerId, connectionId: ConnectionId | null, seed: string): Promise<LanguageModel>;
}
