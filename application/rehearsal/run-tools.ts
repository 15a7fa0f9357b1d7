import type { ToolCallId } from "../../domain/call/conversation-events.ts";
import { TOOL_MILLIS } from "../../domain/conversation/limits.ts";
import { noEvidence } from "../../domain/conversation/tool-words.ts";
import { areEqual, isPartOf } from "../../domain/rehearsal/part-of.ts";
import type { PastAnswer, RehearsedCase } from "../../domain/rehearsal/rehearsal.ts";
import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";
import { utf8Length } from "../../domain/shared/utf8.ts";
import type { Clock } from "../ports/clock.ts";
import type { FrozenLine } from "../ports/rehearsal-run.ts";
import type { ToolResult, ToolRun, ToolRunner } from "../ports/tool-runner.ts";

export type RunTools = ToolRunner & {
  /** Calls that would have left the house. */
  readonly asked: ReadonlySet<ToolCallId>;
  readonly isBusy: () => boolean;
  /** The model was told of a tool that it cannot be used here. */
  readonly isUnanswered: () => boolean;
};

/**
 * Nothing is executed. A tool answers what the case says: the first entry that fits the arguments, or what
 * the past call has for the same ones; else its sample; else that it cannot be used here.
 */
export function createRunTools(clock: Clock, line: FrozenLine, played: RehearsedCase): RunTools {
  const asked = new Set<ToolCallId>();
  const past = createPastAnswers(played);
  let running = 0;
  let unanswered = false;

  const answer = async ({ tool, arguments: given, signal }: ToolRun): Promise<ToolResult> => {
    const entry = played.tools[tool.name]?.find(({ when }) => when === null || isPartOf(when, given));
    if (entry !== undefined && "answer" in entry) return answered(entry.answer);
    if (entry?.fails === "failed") return notAnswered("failed", "The tool failed.");
    if (entry?.fails === "timed_out") {
      await clock.sleep(TOOL_MILLIS, signal);
      return notAnswered("timed_out", "There was no whole answer in time.");
    }
    const before = past(tool.functionName, given);
    if (before !== null) {
      await clock.sleep(before.millis ?? 0, signal);
      return asBefore(before);
    }
    const sample = line.samples[tool.toolId];
    if (sample !== undefined) return answered(sample);
    unanswered = true;
    return notAnswered("refused", "This tool cannot be used here.");
  };

  return {
    asked,
    isBusy: () => running > 0,
    isUnanswered: () => unanswered,
    run: async (run) => {
      asked.add(run.toolCallId);
      running += 1;
      try {
        return await answer(run);
      } finally {
        running -= 1;
      }
    },
  };
}

/** What the past call has for a function and its arguments, in order; the last one again and again. */
function createPastAnswers({
  caller,
}: RehearsedCase): (name: string, given: JsonObject) => PastAnswer | null {
  const left = caller.kind === "past" ? [...caller.call.answers] : [];
  return (name, given) => {
    const isIt = (each: PastAnswer) => each.functionName === name && areEqual(each.arguments, given);
    const found = left.find(isIt);
    if (found === undefined) return null;
    if (left.filter(isIt).length > 1) left.splice(left.indexOf(found), 1);
    return found;
  };
}

function answered(answer: JsonValue): ToolResult {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const evidence = { ...noEvidence, status: 200, millis: 0, bytes: utf8Length(text) };
  return { outcome: "answered", shown: `200\n${text}`, isError: false, evidence };
}

function notAnswered(outcome: "failed" | "timed_out" | "refused", shown: string): ToolResult {
  return { outcome, shown, isError: true, evidence: noEvidence };
}

/** It is evidence for the analysis as it was then. */
function asBefore({ outcome, shown, isError, millis }: PastAnswer): ToolResult {
  const evidence = outcome === "answered" ? { ...noEvidence, millis: millis ?? 0 } : noEvidence;
  return { outcome: outcome === "unknown" ? "timed_out" : outcome, shown, isError, evidence };
}
