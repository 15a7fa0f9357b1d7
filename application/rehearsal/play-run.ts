import type { CallEvent } from "../../domain/call/events.ts";
import { askOutcome } from "../../domain/outcome/question.ts";
import { isAnalysable, readTranscript } from "../../domain/outcome/transcript.ts";
import { judgeRun } from "../../domain/rehearsal/judge-run.ts";
import { RUN_WARNINGS } from "../../domain/rehearsal/rehearsal.ts";
import type { RunFacts } from "../../domain/rehearsal/run-result.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { analysisModels } from "../call/analysis/analysis-models.ts";
import { askAboutCall } from "../call/analysis/asking.ts";
import { callEvents } from "../call/analysis/call-events.ts";
import { askedAtTheBeginning } from "../call/analysis/wishing.ts";
import { ModelFailure } from "../ports/language-model.ts";
import type { PlayedRun, RunToPlay } from "../ports/rehearsal-run.ts";
import type { UsedTokens } from "../ports/rehearsals.ts";
import { createRehearsalClock, type RehearsalClock } from "./rehearsal-clock.ts";
import { openRunCall, textsOf } from "./run-call.ts";
import { readRun } from "./run-facts.ts";
import { createRunModels, type RunModels } from "./run-models.ts";
import { createRunTools } from "./run-tools.ts";
import type { RunWorld } from "./run-world.ts";

/**
 * Plays one case against one line: the conversation of a call, in a world of its own. Nothing is dialled,
 * asked or written, but its models are asked. A failure of a model is a status; it rejects only where this
 * code is wrong. After `stop` it resolves soon, as not played.
 */
export async function playRun(world: RunWorld, run: RunToPlay, stop: AbortSignal): Promise<PlayedRun> {
  const { case: played, line, n } = run;
  const time = createRehearsalClock(world.clock, millisOf(played.at), world.turn);
  const seed = played.caller.kind === "past" ? played.caller.call.seed : `${played.name}:${n}`;
  const models = createRunModels({ ...world, time, seed, stop });
  const tools = createRunTools(time.ours, line, played);
  const texts = textsOf(run);
  if ("limit" in texts)
    return notPlayed(`${texts.name} is longer than ${texts.limit} bytes when it is filled for this contact`);
  const call = openRunCall(world, run, { texts, time, seed, models, tools });
  const playing = async (): Promise<PlayedRun> => {
    const unplayed = await call.talk().then(() => null, messageOf);
    if (unplayed !== null) return notPlayed(unplayed, models.used());
    const events = await callEvents({ ...world, eventStore: call.eventStore }, call.callId);
    const told = readRun(events, line.conversation, tools.asked);
    const unknown = call.problem() ?? told.problem;
    const analysed = unknown === null ? await analyse(run, events, { models, time, stop }) : NOT_ANALYSED;
    const { outcome } = analysed;
    const problem = unknown ?? analysed.failure;
    const failures = judgeRun(played.expect, { ...told.facts, outcome });
    const warned = [...call.warnings(), ...(tools.isUnanswered() ? ["tool_not_answered"] : [])];
    return {
      ...told.figures,
      ...models.used(),
      status: problem === null ? (failures.length === 0 ? "passed" : "failed") : "error",
      problem,
      failures,
      messages: told.messages,
      outcome,
      endReason: told.facts.endReason,
      warnings: RUN_WARNINGS.filter((each) => warned.includes(each)),
    };
  };
  return (await time.run(playing(), stop)) ?? notPlayed("It was stopped", models.used());
}

const NOTHING_USED: UsedTokens = { inputTokens: 0, outputTokens: 0 };

/** A run of which nothing can be told, and why, in a sentence. */
export function notPlayed(problem: string, used: UsedTokens = NOTHING_USED): PlayedRun {
  return {
    status: "error",
    problem,
    failures: [],
    messages: [],
    outcome: null,
    endReason: null,
    turns: 0,
    toolCalls: 0,
    ...used,
    firstTokenMillis: null,
    warnings: [],
  };
}

type Analysed = { readonly outcome: RunFacts["outcome"]; readonly failure: string | null };
const NOT_ANALYSED: Analysed = { outcome: null, failure: null };

type Asking = {
  readonly models: RunModels;
  readonly time: RehearsalClock;
  readonly stop: AbortSignal;
};

/** As after a call: only where the assistant asks for something, and words can tell it. */
async function analyse(
  { owner, line, case: played }: RunToPlay,
  events: readonly CallEvent[],
  { models, time, stop }: Asking,
): Promise<Analysed> {
  const settings = askedAtTheBeginning(line.conversation)?.settings;
  if (settings === undefined || !isAnalysable(events)) return NOT_ANALYSED;
  const { outcome, language } = settings;
  const transcript = readTranscript(events);
  const asked = askOutcome(outcome, transcript, { language, timezone: played.contact.timezone ?? "UTC" });
  const question = { ...asked, outcome, transcript };
  const deps = {
    analysisModels: analysisModels(models.ofConversation),
    // They are counted where the models are asked.
    analysisTokens: { add: async () => undefined },
    clock: time.ours,
  };
  try {
    const { fields, success } = await askAboutCall(deps, owner, settings, question, stop);
    return { outcome: { fields: fields ?? {}, success }, failure: null };
  } catch (error) {
    return { outcome: null, failure: `The analysis failed: ${messageOf(error)}` };
  }
}

/** Of a failure of a model, a sentence of ours; rethrows any other. */
function messageOf(error: unknown): string {
  if (error instanceof ModelFailure) return error.message;
  throw error;
}
