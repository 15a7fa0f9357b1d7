import type { DomainEvent } from "../../domain/events.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { SIMULATED_OUTCOME } from "./faulty-analysis-models.ts";
import type { Scenario } from "./scenario.ts";

type CallFacts = {
  answered: boolean;
  machine: boolean;
  words: number;
  ended: boolean;
  wishes: string[];
  answers: string[];
};

/**
 * Which calls are to be analysed, and which were, as far as the log knows. No code is shared with what
 * analyses them.
 */
export type AnalysisBook = {
  readonly calls: Map<CallId, CallFacts>;
  /** Calls that are over, were talked on and have no answer. */
  readonly owed: Set<CallId>;
  readonly problems: string[];
  /** What was asked, by the hash that wishes name. */
  readonly outcomes: Map<string, OutcomeSettings>;
};

export function newAnalysisBook(): AnalysisBook {
  return { calls: new Map(), owed: new Set(), problems: [], outcomes: new Map() };
}

export function noteAnalysis(book: AnalysisBook, event: DomainEvent): void {
  if (!("callId" in event.data)) return;
  const { callId } = event.data;
  const call = book.calls.get(callId) ?? newCall();
  book.calls.set(callId, call);
  switch (event.type) {
    case "CallConnected":
      call.answered = true;
      call.machine = event.data.answeredBy === "machine";
      return;
    case "CallMachineJudged":
      call.machine = event.data.answeredBy === "machine";
      return;
    case "CallMessageAdded":
      if (event.data.message.role === "customer") call.words += 1;
      return;
    case "CallCompleted":
    case "CallFailed":
      call.ended = true;
      if (isToBeAnalysed(call)) book.owed.add(callId);
      return;
    case "CallAnalysisRequested":
      if (!call.ended) book.problems.push(`${callId}: an analysis is asked for before the end`);
      call.wishes.push(event.data.analysisId);
      book.outcomes.set(event.data.schemaHash, SIMULATED_OUTCOME);
      return;
    case "CallAnalysed":
    case "CallAnalysisFailed":
      if (!call.wishes.includes(event.data.analysisId))
        book.problems.push(`${callId}: an answer before its wish`);
      call.answers.push(event.data.analysisId);
      book.owed.delete(callId);
      return;
    default:
      return;
  }
}

function newCall(): CallFacts {
  return { answered: false, machine: false, words: 0, ended: false, wishes: [], answers: [] };
}

function isToBeAnalysed({ answered, machine, words, ended }: CallFacts): boolean {
  return ended && answered && !machine && words > 0;
}

/** Exactly one wish, and one answer to it, for each call that was talked on; none for the others. */
export function judgeAnalysed({ analyses }: Scenario, { calls, problems }: AnalysisBook): readonly string[] {
  const found = [...problems];
  for (const [callId, call] of calls) {
    const wanted = analyses !== null && isToBeAnalysed(call) ? 1 : 0;
    const told = `${callId} has ${call.wishes.length} wishes and ${call.answers.length} answers`;
    if (call.wishes.length !== wanted || call.answers.length !== wanted)
      found.push(`${told}, and is to be analysed ${wanted} times`);
  }
  return found;
}
