import type { AnalysisModel } from "../../domain/call/events.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { Transcript } from "../../domain/outcome/transcript.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { AnalysisSettings } from "./analyses.ts";

/** What a model is asked about a call, in no provider's form. */
export type AnalysisQuestion = {
  readonly system: string;
  readonly user: string;
  /** JSON schema of the answer. */
  readonly schema: JsonObject;
  readonly outcome: OutcomeSettings;
  /** For the scripted model, which reads no text. */
  readonly transcript: Transcript;
};

export type AnalysisReply = {
  /** Parsed JSON, bounded in bytes; undefined: it is none. Nobody has judged it. */
  readonly answer: unknown;
  /** Who answered, and the tokens of all requests that this reply took. */
  readonly model: AnalysisModel;
};

export type AnalysisLimits = {
  /** After an abort it rejects with ModelFailure `aborted`, and the request is closed. */
  readonly signal: AbortSignal;
  /** For all requests of this reply. */
  readonly millis: number;
};

/** Throws ModelFailure `garbage`. */
export type AnswersAtOnce = (question: AnalysisQuestion) => AnalysisReply;

/** The models of this installation and its owners, asked after a call. */
export interface AnalysisModels {
  /** Of a model in this process; null or absent: it takes time, and may fail. Rejects with ModelFailure. */
  atOnce?(owner: OwnerId, settings: AnalysisSettings): Promise<AnswersAtOnce | null>;
  /**
   * Asks one question: no repair and no retry, beside requests that find out in which form the model answers.
   * Rejects with ModelFailure, which has the tokens used so far: `garbage` when the answer is too long or cut
   * off, the others as a conversation has them.
   */
  ask(
    owner: OwnerId,
    settings: AnalysisSettings,
    question: AnalysisQuestion,
    limits: AnalysisLimits,
  ): Promise<AnalysisReply>;
}
