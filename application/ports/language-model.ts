import type { AnalysisModel } from "../../domain/call/events.ts";
import type { Prompt, PromptMessage, PromptTool } from "../../domain/conversation/effects.ts";
import type { AnswerPart, AskedCall } from "../../domain/conversation/inputs.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { Transcript } from "../../domain/outcome/transcript.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

/** The types of the conversation rules: their question is the input of a model. */
export type ModelToolCall = AskedCall;
export type ModelMessage = PromptMessage;
export type ModelTool = PromptTool;
/** An answer that is one JSON object of this schema, in place of words. */
export type WantedAnswer = {
  readonly schema: JsonObject;
  /** For the scripted model, which reads no text. */
  readonly outcome: OutcomeSettings;
  readonly transcript: Transcript;
};
/** With `wanted` its parts are the text of the JSON, as the model wrote it. */
export type ModelRequest = Prompt & { readonly wanted?: WantedAnswer };

export type ModelPart = AnswerPart;

export type ModelFailureKind =
  /** The stream ended without a reason. */
  | "cut_off"
  | "first_part_late"
  | "stalled"
  | "garbage"
  | "throttled"
  | "unavailable"
  /** Asked again it would fail again (key, unknown model, bad request). */
  | "refused"
  | "aborted";

/** Thrown by the iteration. `message` is a sentence of ours: no provider text, no key. */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterMillis: number | null;
  /** Of an analysis: what was used all the same; null: nothing, or nobody counted. */
  readonly used: AnalysisModel | null;
  constructor(
    kind: ModelFailureKind,
    message: string,
    retryAfterMillis: number | null = null,
    used: AnalysisModel | null = null,
  ) {
    super(message);
    this.kind = kind;
    this.retryAfterMillis = retryAfterMillis;
    this.used = used;
  }
}

export type ModelLimits = {
  /** After an abort the iteration ends with ModelFailure `aborted`, and the request is closed. */
  readonly signal: AbortSignal;
  readonly firstPartMillis: number;
  readonly stallMillis: number;
};

/** Asks once: no retry, no cache. Always ends with one `end` part, or throws ModelFailure. */
export interface LanguageModel {
  respond(request: ModelRequest, limits: ModelLimits): AsyncIterable<ModelPart>;
  /** Of a model in this process: the same parts, without waiting for anything. Absent: it takes time. */
  answerAtOnce?(request: ModelRequest & { readonly wanted: WantedAnswer }): Iterable<ModelPart>;
}

/** The models of this installation and its owners. */
export interface LanguageModels {
  /**
   * `connectionId` null: the installation's default (LLM_*), or the scripted one. `seed` makes the scripted
   * one repeatable. Throws ModelFailure `refused` when the connection was deleted.
   */
  open(owner: OwnerId, connectionId: ConnectionId | null, seed: string): Promise<LanguageModel>;
}
