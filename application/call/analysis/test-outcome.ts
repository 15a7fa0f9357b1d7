import type { AnalysisFailure, AnalysisModel } from "../../../domain/call/events.ts";
import type { OutcomeSettings } from "../../../domain/outcome/settings.ts";
import { isAnalysable } from "../../../domain/outcome/transcript.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { callStream } from "../../log/stream-names.ts";
import { modelTokensUsedUp } from "../../model-tokens.ts";
import { type Caller, type Refusal, refused } from "../../outcome.ts";
import type { AnalysisSettings } from "../../ports/analyses.ts";
import type { AnalysisModels } from "../../ports/analysis-model.ts";
import { ModelFailure } from "../../ports/language-model.ts";
import type { UseCaseDeps } from "../../use-case-deps.ts";
import { reasonOf } from "./analysis-attempt.ts";
import { type AskedCall, type AskingDeps, askAboutCall, questionAbout } from "./asking.ts";
import { type CallEventsDeps, callEvents, unusable } from "./call-events.ts";

export type TestOutcomeDeps = UseCaseDeps &
  CallEventsDeps &
  Pick<AskingDeps, "analysisTokens"> & {
    /** Absent: nobody can be asked in this process. */
    readonly analysisModels?: AnalysisModels;
  };

export type OutcomeTest = {
  readonly callId: CallId;
  /** null: the assistant asks for nothing. */
  readonly outcome: OutcomeSettings | null;
  readonly of: Pick<AnalysisSettings, "model" | "modelConnectionId" | "language">;
};

export type TestedOutcome = {
  readonly request: { readonly system: string; readonly user: string; readonly jsonSchema: JsonObject };
} & (
  | { readonly answer: AskedCall; readonly failure: null }
  | {
      readonly answer: null;
      readonly failure: {
        readonly reason: AnalysisFailure;
        readonly message: string;
        readonly used: AnalysisModel | null;
      };
    }
);

type Tested =
  | { readonly ok: true; readonly value: TestedOutcome }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * POST /assistants/:id/outcome/test (docs/api.md §3): what an analysis of this call would store. Stores the
 * tokens and nothing else.
 */
export async function testOutcome(
  deps: TestOutcomeDeps,
  caller: Caller,
  { callId, outcome, of }: OutcomeTest,
): Promise<Tested> {
  const { owner } = caller;
  const { analysisModels } = deps;
  const before = await deps.aggregates.calls.query(
    callStream(callId),
    (state) => unusable(state, owner, ["callId"]),
    { fresh: true },
  );
  if (before !== null) return before;
  const events = await callEvents(deps, callId);
  if (!isAnalysable(events))
    return refused("NOTHING_TO_ANALYSE", "The customer said nothing on this call that could be analysed");
  if (outcome === null)
    return refused("OUTCOME_NOT_CONFIGURED", "The assistant does not say what an outcome is");
  if (analysisModels === undefined) return refused("ASSISTANT_UNAVAILABLE", "This process has no models");
  if (await modelTokensUsedUp(deps, owner))
    return refused("INSUFFICIENT_CREDITS", "The plan's tokens of language models for this day are used up");
  const settings: AnalysisSettings = { version: 1, outcome, ...of };
  const asking = { ...deps, analysisModels, campaigns: deps.aggregates.campaigns };
  const question = await questionAbout(asking, settings, events);
  const { system, user, schema: jsonSchema } = question;
  const request = { system, user, jsonSchema };
  try {
    const answer = await askAboutCall(asking, owner, settings, question, new AbortController().signal);
    return { ok: true, value: { request, answer, failure: null } };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { message, used } = error;
    return {
      ok: true,
      value: { request, answer: null, failure: { reason: reasonOf(error), message, used } },
    };
  }
}
