import type {
  PlayedRehearsalRun,
  Rehearsal,
  RehearsalRun,
  RunCounts,
} from "../../application/ports/rehearsals.ts";
import type { RehearsalRunRecord, RehearsalRunSummary, RehearsalSummary } from "../../contract/rehearsal.ts";

export function summaryOf(rehearsal: Rehearsal): RehearsalSummary {
  const { id, name, assistantId, squadId, version, baseline, repeat, maxTokens, draftHash } = rehearsal;
  const { status, waitingFor, endedBecause, counts, inputTokens, outputTokens } = rehearsal;
  const { erased, createdAt, endedAt, actor } = rehearsal;
  const candidates = rehearsal.byCase.filter(({ lane }) => lane === "candidate");
  const sum = (of: keyof RunCounts) => candidates.reduce((all, each) => all + each.counts[of], 0);
  const [passed, failed, errors] = [sum("passed"), sum("failed"), sum("error")];
  const ended = passed + failed + errors;
  return {
    ...{ id, name, assistantId, squadId, version, baseline, repeat, maxTokens },
    ...{ status, waitingFor, endedBecause },
    progress: progressOf(counts),
    ...{ passed, failed, errors },
    passRate: ended === 0 ? null : passed / ended,
    byCase: rehearsal.byCase.map(caseOf),
    tokens: { inputTokens, outputTokens },
    ...{ draftHash, erased, createdAt, endedAt, actor },
  };
}

const allOf = (counts: RunCounts) => Object.values(counts).reduce((all, each) => all + each, 0);
const openOf = ({ waiting, running }: RunCounts) => waiting + running;

function progressOf(counts: RunCounts): number {
  const all = allOf(counts);
  return all === 0 ? 1 : (all - openOf(counts)) / all;
}

function caseOf({ name, lane, passAt, counts }: Rehearsal["byCase"][number]) {
  const { passed, failed, error: errors, cancelled } = counts;
  return {
    ...{ case: name, lane, passed, failed, errors, waiting: openOf(counts), cancelled },
    isPassed: isPassed(counts, passAt),
  };
}

/** null: it depends on the runs that are not over. */
function isPassed(counts: RunCounts, passAt: number): boolean | null {
  // So much that 0.7 of 10 is 7.
  const needed = Math.ceil(allOf(counts) * passAt - 1e-9);
  if (openOf(counts) > 0 && counts.passed + openOf(counts) >= needed && counts.passed < needed) return null;
  return counts.passed >= needed;
}

export function runSummaryOf(run: RehearsalRun): RehearsalRunSummary {
  const { runId, caseName, lane, n, status, played, startedAt, endedAt } = run;
  return {
    ...{ runId, case: caseName, lane, n, status },
    problem: played?.problem ?? null,
    failures: played?.failures ?? [],
    outcome: played?.outcome ?? null,
    endReason: played?.endReason ?? null,
    turns: played?.turns ?? null,
    toolCalls: played?.toolCalls ?? null,
    inputTokens: played?.inputTokens ?? null,
    outputTokens: played?.outputTokens ?? null,
    firstTokenMs: played?.firstTokenMillis ?? null,
    warnings: played?.warnings ?? [],
    ...{ startedAt, endedAt },
  };
}

export function runOf(run: PlayedRehearsalRun): RehearsalRunRecord {
  return { ...runSummaryOf(run), messages: run.messages };
}
