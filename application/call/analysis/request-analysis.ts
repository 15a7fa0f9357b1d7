import type { AnalysisId, CallRequested } from "../../../domain/call/events.ts";
import type { CallState } from "../../../domain/call/state.ts";
import { isAnalysable } from "../../../domain/outcome/transcript.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { callStream } from "../../log/stream-names.ts";
import { type Caller, type Outcome, type Refusal, refused } from "../../outcome.ts";
import type { StoredAnalysisSettings } from "../../ports/analyses.ts";
import type { Position } from "../../ports/event-store.ts";
import { refusedByRule } from "../../refused-by-rule.ts";
import type { UseCaseDeps } from "../../use-case-deps.ts";
import { type CallEventsDeps, callEvents } from "./call-events.ts";
import { type Asked, asked, askedAtTheBeginning, wish } from "./wishing.ts";

export type RequestAnalysisDeps = UseCaseDeps &
  CallEventsDeps & { readonly analysisSettings: StoredAnalysisSettings };

export type AnalysisRequest = {
  readonly callId: CallId;
  /** A fresh id, or the one of the Idempotency-Key row: asked for again it is the answer. */
  readonly analysisId: AnalysisId;
  /** Of the assistant with which the call began; null: the version with which it began. */
  readonly assistantVersion: number | null;
};

export type AnalysisRequested = { readonly analysisId: AnalysisId; readonly status: "pending" };

type Refused = { readonly ok: false; readonly refusal: Refusal };

/**
 * POST /calls/:callId/analysis (docs/api.md §4): asks once more what the call brought home. While one is
 * pending that one is the answer. The models are asked later.
 */
export async function requestAnalysis(
  deps: RequestAnalysisDeps,
  caller: Caller,
  request: AnalysisRequest,
): Promise<Outcome<AnalysisRequested>> {
  const before = await lookAt(deps, caller, request);
  if (before !== null) return before;
  const events = await callEvents(deps, request.callId);
  const [first] = events;
  if (first?.type !== "CallRequested") return noSuchCall();
  if (!isAnalysable(events))
    return refused("NOTHING_TO_ANALYSE", "The customer said nothing on this call that could be analysed");
  const wanted = await whatIsAsked(deps, caller, first.data, request.assistantVersion);
  if (wanted === null)
    return refused("OUTCOME_NOT_CONFIGURED", "The assistant's version does not say what an outcome is");
  return "refusal" in wanted ? wanted : ask(deps, caller, request, wanted);
}

/** null: an analysis may be asked for, as far as the call's state tells. */
function lookAt(
  { aggregates }: RequestAnalysisDeps,
  caller: Caller,
  { callId, analysisId }: AnalysisRequest,
): Promise<Outcome<AnalysisRequested> | null> {
  const read = (state: CallState, { position }: { readonly position: Position }) => {
    if (state.status === null || state.owner !== caller.owner) return noSuchCall();
    if (state.analyses.has(analysisId)) return pending(analysisId, position);
    if (state.contentErased) return refused("CONTENT_ERASED", "What was said on this call was erased");
    if (state.endedAt === null) return refused("CALL_NOT_ENDED", "The call has not ended");
    return state.pendingAnalysis === null ? null : pending(state.pendingAnalysis, position);
  };
  return aggregates.calls.query(callStream(callId), read, { fresh: true });
}

/** null: nothing is asked for by that version. */
async function whatIsAsked(
  { directory, pinnedConversations }: RequestAnalysisDeps,
  { owner }: Caller,
  { pinned, assistant }: CallRequested["data"],
  version: number | null,
): Promise<Asked | Refused | null> {
  const conversation = pinned === undefined ? null : await pinnedConversations.read(pinned);
  if (version === null) return conversation === null ? null : askedAtTheBeginning(conversation);
  const assistantId = conversation?.speakers[0]?.assistantId ?? assistant.assistantId;
  const found = await directory.assistantVersion(owner, assistantId, version);
  if (found !== null) return asked(assistantId, version, found);
  const message = `The assistant of this call has no version ${version}`;
  return refused("VALIDATION_ERROR", message, [{ path: ["assistantVersion"], message }]);
}

async function ask(
  deps: RequestAnalysisDeps,
  caller: Caller,
  { callId, analysisId }: AnalysisRequest,
  wanted: Asked,
): Promise<Outcome<AnalysisRequested>> {
  const wishing = { ...deps, calls: deps.aggregates.calls };
  const of = { ...wanted, analysisId, by: caller.actor };
  try {
    for (;;) {
      const wished = await wish(wishing, callId, of, { ...caller, causationId: null });
      if (wished.isKnown) return pending(analysisId, wished.position);
      // Another one waits; answered between the two looks, it makes room.
      if (wished.pending !== null) return pending(wished.pending, wished.position);
    }
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

function pending(analysisId: AnalysisId, position: Position) {
  return { ok: true as const, value: { analysisId, status: "pending" as const }, position };
}

function noSuchCall(): Refused {
  return refused("CALL_NOT_FOUND", "Call not found");
}
