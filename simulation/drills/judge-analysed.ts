import { z } from "zod";
import type { HistoryEvent } from "./shapes.ts";

/** What the API tells of a call's analysis. */
export const toldOutcomes = z.object({
  id: z.string(),
  outcome: z.object({ status: z.string(), pending: z.boolean() }),
});
export type ToldOutcome = z.infer<typeof toldOutcomes>;

const spoken = z.object({ role: z.literal("customer"), content: z.string() });

/** Calls that were answered by a human who said something in words, and are over. */
function talkedCalls(events: readonly HistoryEvent[]): readonly string[] {
  const verdicts = new Map<string, unknown>();
  const withWords = new Set<string>();
  const over = new Set<string>();
  for (const { type, data } of events) {
    const { callId = "" } = data;
    if (type === "CallConnected" || type === "CallMachineJudged") verdicts.set(callId, data["answeredBy"]);
    if (type === "CallCompleted" || type === "CallFailed") over.add(callId);
    const message = type === "CallMessageAdded" ? spoken.safeParse(data["message"]) : null;
    if (message?.success && !message.data.content.startsWith("[keys:")) withWords.add(callId);
  }
  return [...withWords].filter((id) => over.has(id) && verdicts.has(id) && verdicts.get(id) !== "machine");
}

function answersOf(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  return events.filter(({ type }) => type === "CallAnalysed" || type === "CallAnalysisFailed");
}

/** Calls that were talked on and have no answer yet, or one that the API, behind the log, does not tell. */
export function owedAnalyses(
  events: readonly HistoryEvent[],
  told: readonly ToldOutcome[],
): readonly string[] {
  const answered = new Set(answersOf(events).map(({ data }) => data.callId));
  const unanswered = talkedCalls(events).filter((callId) => !answered.has(callId));
  const untold = told
    .filter(({ id, outcome }) => outcome.pending || (answered.has(id) && outcome.status === "none"))
    .map(({ id }) => id);
  return [...new Set([...unanswered, ...untold])];
}

/**
 * Analyses after a crash: each call that was talked on has one wish, by the engine, and one answer to it; the
 * others have none; and the API says of each what the log says.
 */
export function judgeAnalysed(events: readonly HistoryEvent[], told: readonly ToldOutcome[]): string[] {
  const talked = talkedCalls(events);
  const wishes = events.filter(({ type }) => type === "CallAnalysisRequested");
  const answers = answersOf(events);
  const nobody = talked.length === 0 ? ["nobody talked on any call"] : [];
  return [...nobody, ...told.flatMap(({ id, outcome }) => problemsOf(id, outcome))];

  function problemsOf(callId: string, { status, pending }: ToldOutcome["outcome"]): string[] {
    const expected = talked.includes(callId) ? 1 : 0;
    const [own, replies] = [wishes, answers].map((each) => each.filter(({ data }) => data.callId === callId));
    const problems: string[] = [];
    if (own?.length !== expected || replies?.length !== expected)
      problems.push(
        `${callId} has ${own?.length} wishes and ${replies?.length} answers, ${expected} are due`,
      );
    if (own?.some(({ data }) => data["by"] !== "engine"))
      problems.push(`${callId} has a wish that is not the engine's`);
    if (replies?.[0]?.data["analysisId"] !== own?.[0]?.data["analysisId"])
      problems.push(`${callId} has an answer to another wish than its own`);
    const due = { CallAnalysed: "ready", CallAnalysisFailed: "failed" }[replies?.[0]?.type ?? ""] ?? "none";
    if (status !== due || pending)
      problems.push(`${callId} is ${status}${pending ? ", pending" : ""} in the API, and ${due} in the log`);
    return problems;
  }
}
