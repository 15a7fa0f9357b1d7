import type { CallCommand } from "../../../domain/call/decider.ts";
import type { AnalysisId, CallEvent } from "../../../domain/call/events.ts";
import { judgeAnswer } from "../../../domain/outcome/judge-answer.ts";
import { isAnalysable } from "../../../domain/outcome/transcript.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { processOrigin } from "../../log/append-events.ts";
import { callStream } from "../../log/stream-names.ts";
import { type ModelTokensDeps, modelTokensUsedUp } from "../../model-tokens.ts";
import type { AnswersAtOnce } from "../../ports/analysis-model.ts";
import type { Logger } from "../../ports/logger.ts";
import { type AskingDeps, countTokens, questionAbout, recordOf } from "./asking.ts";
import { type Asked, type WishingDeps, wishOf } from "./wishing.ts";

const PROCESS = "analyses";
/** So many are looked at before something is written: what they compute holds up nobody. */
const EVENTS_AT_ONCE = 400;

export type AtOnceDeps = WishingDeps &
  Omit<AskingDeps, "analysisModels"> &
  ModelTokensDeps & {
    readonly analysisModels?: AskingDeps["analysisModels"];
    readonly logger: Logger;
  };

/** A call that is over, and its session too, or nobody waits for that any more. */
export type OverCall = {
  readonly analysisId: AnalysisId;
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly asked: Asked;
  /** All of them. */
  readonly events: readonly CallEvent[];
};

/**
 * Analyses calls whose model is in this process: their wishes are appended with their answers, because the
 * model takes no time. Returns those that are to be tried one by one: another model, no tokens, an answer
 * that does not fit, a failure. The others are answered, or have nothing that could be asked about.
 */
export async function analyseAtOnce(
  deps: AtOnceDeps,
  calls: readonly OverCall[],
): Promise<readonly OverCall[]> {
  const left: OverCall[] = [];
  for (const part of partsOf(calls)) {
    const done = await Promise.all(part.map((call) => isDone(deps, call)));
    left.push(...part.filter((_call, index) => done[index] === false));
  }
  return left;
}

function partsOf(calls: readonly OverCall[]): readonly (readonly OverCall[])[] {
  const parts: OverCall[][] = [];
  let room = 0;
  for (const call of calls) {
    if (room <= 0) {
      parts.push([]);
      room = EVENTS_AT_ONCE;
    }
    parts.at(-1)?.push(call);
    room -= call.events.length;
  }
  return parts;
}

async function isDone(deps: AtOnceDeps, call: OverCall): Promise<boolean> {
  const { callId, analysisId } = call;
  if (!isAnalysable(call.events)) return true;
  try {
    const answers = await deps.analysisModels?.atOnce?.(call.owner, call.asked.settings);
    if (answers == null || (await modelTokensUsedUp(deps, call.owner))) return false;
    const commands = await answered(deps, call, answers);
    if (commands === null) return false;
    await deps.calls.handle(callStream(callId), commands, processOrigin(PROCESS, call.owner, callId));
    return true;
  } catch (error) {
    if (error instanceof DomainError) return true; // erased meanwhile, or analysed often enough
    deps.logger.warn({ callId, analysisId, error: String(error) }, "a call was not analysed at once");
    return false;
  }
}

/** null: the answer is not what was asked for. */
async function answered(
  deps: AtOnceDeps,
  { analysisId, owner, asked, events }: OverCall,
  answers: AnswersAtOnce,
): Promise<readonly CallCommand[] | null> {
  const { settings } = asked;
  const question = await questionAbout(deps, settings, events);
  const { answer, model } = answers(question);
  const { faults, ...judged } = judgeAnswer(question.outcome, question.transcript, answer);
  if (faults.length > 0) return null;
  await countTokens(deps, owner, model);
  const wish = await wishOf(deps, { ...asked, analysisId, by: "engine" });
  const record = { ...recordOf(question, judged), model };
  return [wish, { type: "RecordAnalysis", analysisId, ...record, now: deps.clock.now() }];
}
