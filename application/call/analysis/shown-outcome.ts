import type { CallOutcome, ListedOutcome } from "../../../contract/outcome.ts";
import type { AnalysisId, CallAnalysed, CallAnalysisFailed, CallEvent } from "../../../domain/call/events.ts";

/** What the analyses of a call have told so far. */
export type KeptOutcome = {
  /** In the order in which they were asked for. */
  readonly asked: readonly AnalysisId[];
  readonly pending: AnalysisId | null;
  /** The latest that succeeded. */
  readonly analysed: CallAnalysed["data"] | null;
  /** Of the last one that was answered. */
  readonly failure: CallAnalysisFailed["data"] | null;
};

const NOT_ASKED: KeptOutcome = { asked: [], pending: null, analysed: null, failure: null };

/** The same value if the event tells of no analysis; undefined: none was asked for. */
export function outcomeAfter(kept: KeptOutcome | undefined, event: CallEvent): KeptOutcome | undefined {
  switch (event.type) {
    case "CallAnalysisRequested": {
      const { analysisId } = event.data;
      const before = kept ?? NOT_ASKED;
      return { ...before, asked: [...before.asked, analysisId], pending: analysisId };
    }
    case "CallAnalysed":
      return { ...(kept ?? NOT_ASKED), pending: null, analysed: event.data, failure: null };
    case "CallAnalysisFailed":
      return { ...(kept ?? NOT_ASKED), pending: null, failure: event.data };
    default:
      return kept;
  }
}

/** Counted from 1, in the order in which they were asked for. */
export function numberOfAnalysis({ asked }: KeptOutcome, analysisId: AnalysisId): number {
  return asked.indexOf(analysisId) + 1;
}

/** As records and webhooks show it. `erased`: the call's words are gone, and with them what they proved. */
export function shownOutcome(kept: KeptOutcome | undefined, erased: boolean): CallOutcome {
  if (erased) return { ...NOTHING, status: "erased" };
  if (kept === undefined) return NOTHING;
  const { pending, analysed, failure } = kept;
  const tells = {
    ...NOTHING,
    pending: pending !== null,
    lastFailure: failure && { reason: failure.reason, tries: failure.tries, at: failure.at },
  };
  if (analysed === null) return { ...tells, status: pending === null ? "failed" : "pending" };
  const { fields, evidence, unsupported, summary, success, model, at } = analysed;
  const read = { fields: fields ?? {}, evidence, unsupported, summary, success, model, analysedAt: at };
  return { ...tells, ...read, status: "ready" };
}

const NOTHING: CallOutcome = {
  status: "none",
  fields: {},
  evidence: {},
  unsupported: [],
  summary: null,
  success: null,
  model: null,
  analysedAt: null,
  pending: false,
  lastFailure: null,
};

/** Without proof and text; field by field, as a page has 50 of them and the rest of an object is slow. */
export function listedOutcomeOf(told: CallOutcome): ListedOutcome {
  const { status, fields, unsupported, success, model, analysedAt, pending, lastFailure } = told;
  return { status, fields, unsupported, success, model, analysedAt, pending, lastFailure };
}
