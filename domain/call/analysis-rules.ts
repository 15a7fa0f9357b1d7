import { DomainError } from "../shared/errors.ts";
import type { AssistantId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { AnalysisId, CallAnalysed, CallAnalysisFailed, CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

/** A call is analysed at most this often. */
export const MAX_ANALYSES = 10;

type Wish = {
  readonly analysisId: AnalysisId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly schemaHash: string;
  readonly by: string;
  readonly now: Instant;
};

type Answer = Omit<CallAnalysed["data"], "callId" | "at"> & { readonly now: Instant };
type Failure = Omit<CallAnalysisFailed["data"], "callId" | "at"> & { readonly now: Instant };

/**
 * Wishes to know what a call brought home, and their answers. One wish at a time: while one is pending a
 * further one gives no event, nor does one that is known. Refused with DomainError "call.content-erased",
 * "call.not-ended" or "call.analysis-limit". Each wish has one answer; a second one, and any after the
 * erasure, gives no event.
 */
export const analysisRules = {
  RequestAnalysis: requestAnalysis,
  RecordAnalysis: recordAnalysis,
  FailAnalysis: failAnalysis,
};

function requestAnalysis(command: Wish, state: ExistingCall): readonly CallEvent[] {
  const { analysisId, assistantId, assistantVersion, schemaHash, by, now } = command;
  if (state.analyses.has(analysisId)) return [];
  if (state.contentErased) throw new DomainError("call.content-erased", "What was said was erased");
  if (state.endedAt === null) throw new DomainError("call.not-ended", "The call has not ended");
  if (state.pendingAnalysis !== null) return [];
  if (state.analyses.size >= MAX_ANALYSES)
    throw new DomainError("call.analysis-limit", `A call is analysed at most ${MAX_ANALYSES} times`);
  const moment = { callId: state.callId, at: momentOf(state, now) };
  const wish = { analysisId, assistantId, assistantVersion, schemaHash, by };
  return [{ type: "CallAnalysisRequested", data: { ...moment, ...wish } }];
}

function recordAnalysis(command: Answer, state: ExistingCall): readonly CallEvent[] {
  const { analysisId, fields, enums, evidence, unsupported, summary, success, truncated, model, now } =
    command;
  if (!isPending(state, analysisId)) return [];
  const moment = { callId: state.callId, at: momentOf(state, now) };
  const answer = { analysisId, fields, evidence, unsupported, summary, success, truncated, model };
  const named = enums === undefined ? {} : { enums };
  return [{ type: "CallAnalysed", data: { ...moment, ...answer, ...named } }];
}

function failAnalysis(command: Failure, state: ExistingCall): readonly CallEvent[] {
  const { analysisId, reason, tries, model, now } = command;
  if (!isPending(state, analysisId)) return [];
  const moment = { callId: state.callId, at: momentOf(state, now) };
  return [{ type: "CallAnalysisFailed", data: { ...moment, analysisId, reason, tries, model } }];
}

function isPending({ pendingAnalysis, contentErased }: ExistingCall, analysisId: AnalysisId): boolean {
  return pendingAnalysis === analysisId && !contentErased;
}
