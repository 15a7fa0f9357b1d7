import type { RehearsalRecord } from "../../contract/rehearsal.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import type { Played, PlayedRun } from "./play.ts";

/**
 * What a run says of the assistant. skipped: nothing, because its case passed all the same, or it is of the
 * baseline.
 */
export type Verdict = "passed" | "failed" | "error" | "skipped";

type Case = RehearsalRecord["byCase"][number];

/** Of a value, or a message. */
const LONGEST_SHOWN = 1_000;
const MOST_RUNS_TOLD = 20;

export function verdictOf({ byCase }: RehearsalRecord, run: PlayedRun): Verdict {
  if (run.status === "passed") return "passed";
  const its = byCase.find((each) => each.lane === run.lane && each.case === run.case);
  if (run.lane === "baseline" || its?.isPassed === true) return "skipped";
  return run.status === "failed" ? "failed" : "error";
}

/** 0: every case passed; 1: one failed; 2: nobody knows. */
export function exitCodeOf({ byCase }: RehearsalRecord): 0 | 1 | 2 {
  const missed = byCase.filter(({ lane, isPassed }) => lane === "candidate" && isPassed !== true);
  if (missed.length === 0) return 0;
  return missed.some(({ failed }) => failed > 0) ? 1 : 2;
}

/** For a person: a line for each case, what the runs missed that count, and the sum. */
export function reportOf({ rehearsal, runs }: Played): string[] {
  const told = runs.filter((run) => ["failed", "error"].includes(verdictOf(rehearsal, run)));
  const more = told.length - MOST_RUNS_TOLD;
  return [
    ...caseLines(rehearsal),
    ...told.slice(0, MOST_RUNS_TOLD).flatMap((run) => ["", nameOf(run), ...indented(runLines(run))]),
    ...(more > 0 ? ["", `and ${more} more runs`] : []),
    "",
    sumOf(rehearsal, runs),
  ];
}

function caseLines({ byCase }: RehearsalRecord): string[] {
  const candidates = byCase.filter(({ lane }) => lane === "candidate");
  const width = Math.max(...candidates.map((each) => shown(each.case ?? ERASED).length));
  return candidates.map((each) => {
    const baseline = byCase.find((other) => other.lane === "baseline" && other.case === each.case);
    const beside = baseline === undefined ? "" : `   baseline ${shareOf(baseline)}`;
    const word = each.isPassed === true ? "passed" : each.failed > 0 ? "FAILED" : "ERROR ";
    return `${word}  ${shown(each.case ?? ERASED).padEnd(width)}  ${shareOf(each)}${beside}`;
  });
}

const ERASED = "(erased)";

const shareOf = ({ passed, failed, errors, waiting, cancelled }: Case): string =>
  `${passed}/${passed + failed + errors + waiting + cancelled}`;

/** `<case> #n` */
export const nameOf = (run: PlayedRun): string => `${shown(run.case ?? ERASED)} #${run.n}`;

function runLines(run: PlayedRun): string[] {
  return [...missedIn(run), ...transcriptOf(run)];
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** What kept a run from passing: a line for each expectation, or the problem. */
export function missedIn({ status, problem, failures }: PlayedRun): string[] {
  if (problem !== null) return [shown(problem)];
  if (failures.length === 0) return [status];
  return failures.map(({ expect, got, messageIndex }) => {
    const where = messageIndex === null ? "" : ` (message ${messageIndex})`;
    return `expected ${shown(JSON.stringify(expect))}, got ${shown(JSON.stringify(got))}${where}`;
  });
}

/** A line for each message; `>`: an expectation names it. */
export function transcriptOf({ messages = [], failures }: PlayedRun): string[] {
  const blamed = new Set(failures.map(({ messageIndex }) => messageIndex));
  return messages.map(({ index, role, content, toolName, arguments: given, result, interrupted }) => {
    const tool = `${toolName} ${JSON.stringify(given ?? null)} → ${JSON.stringify(result ?? null)}`;
    const words = role === "tool" ? tool : `${content ?? ""}${interrupted ? " …" : ""}`;
    return `${blamed.has(index) ? ">" : " "} ${index} ${role}: ${shown(words)}`;
  });
}

function sumOf({ id, byCase, endedBecause, tokens }: RehearsalRecord, runs: readonly PlayedRun[]): string {
  const cases = byCase.filter(({ lane }) => lane === "candidate");
  const passed = cases.filter(({ isPassed }) => isPassed === true).length;
  const all = tokens.inputTokens + tokens.outputTokens;
  const early = endedBecause === "finished" ? "" : `; it ended early: ${endedBecause}`;
  return `${passed} of ${cases.length} cases passed; ${runs.length} runs, ${all} tokens, ${id}${early}`;
}

/** One line of bounded length that cannot steer a terminal: the words of models come here. */
export function shown(text: string): string {
  const begun = beginningOf(text, LONGEST_SHOWN);
  return `${begun.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ")}${begun === text ? "" : "…"}`;
}
