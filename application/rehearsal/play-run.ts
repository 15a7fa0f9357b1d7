import type { CallEvent } from "../../domain/call/events.ts";
import { isAnalysable, readTranscript } from "../../domain/outcome/transcript.ts";
import { askOutcome } from "../../domain/outcome/question.ts";
import { judgeRun } from "../../domain/rehearsal/judge-run.ts";
import { RUN_WARNINGS } from "../../domain/rehearsal/rehearsal.ts";
import type { RunFacts } from "../../domain/rehearsal/run-result.ts";
import type { ConnectionId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { analysisModels } from "../call/analysis/analysis-models.ts";
import { askAboutCall } from "../call/analysis/asking.ts";
import { callEvents } from "../call/analysis/call-events.ts";
import { askedAtTheBeginning } from "../call/analysis/wishing.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";
import { type LanguageModels, ModelFailure } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { PlayedRun, RunToPlay } from "../ports/rehearsal-run.ts";
import type { CalleeBehaviour } from "../voice/callee/behaviour.ts";
import { createRehearsalClock } from "./rehearsal-clock.ts";
import { createRunModels, type RunModels } from "./run-models.ts";
import { openRunCall, type RunCall } from "./run-call.ts";
import { readRun, type ToldRun } from "./run-facts.ts";
import { createRunTools } from "./run-tools.ts";

/** What runs of a process share: everything that is not in the run itself. */
export type RunWorld = {
  /** The real one: while a model is asked, our time in the run goes as it does. */
  readonly clock: Clock;
  /** Resolves when everything that can run now has run: a round of the event loop. */
  readonly turn: () => Promise<void>;
  readonly ids: Ids;
  /** A log of one run in memory, dated by its clock, and its stored form, in which words stay as they are. */
  readonly openLog: (clock: Clock) => EventStore;
  readonly codec: EventCodec;
  readonly models: LanguageModels;
  /** Stands in for a persona where the model is the scripted one. */
  readonly simulatedCallee: (seed: string) => Promise<CalleeBehaviour>;
  /** Resolves when a turn of a model may begin: other work of this process has enough of the event loop. */
  readonly mayBegin: () => Promise<void>;
  /** The model of this connection asks to wait; null: the installation's. */
  readonly onThrottled: (connectionId: ConnectionId | null, retryAfterMillis: number) => void;
  /** Not those of calls. */
  readonly metrics: Metrics;
  readonly logger: Logger;
};

/**
 * Plays one case against one line: the conversation of a call, in a world of its own. Nothing is dialled, asked or
 * written but its models are asked. null: `stop` aborted first. A failure of a model is a status; it rejects only
 * where this code is wrong.
 */
export async function playRun(
  world: RunWorld,
  run: RunToPlay,
  stop: AbortSignal,
): Promise<PlayedRun | null> {
  const { case: played, line, n } = run;
  const time = createRehearsalClock(world.clock, millisOf(played.at), world.turn);
  const seed = played.caller.kind === "past" ? played.caller.call.seed : `${played.name}:${n}`;
  const models = createRunModels({ ...world, time, seed, stop });
  const tools = createRunTools(time.ours, line, played);
  const call = openRunCall(world, run, { time, seed, models, tools });
  if (!(await time.run(call.talk(), stop))) return null;
  const events = await callEvents({ ...world, eventStore: call.eventStore }, call.callId);
  const told = readRun(events, line.conversation, tools.asked);
  const analysed = await analyse(world, run, models, events, stop);
  if (stop.aborted) return null;
  return resultOf(run, told, analysed, {
    ...models.used(),
    warnings: RUN_WARNINGS.filter(
      (each) => call.warnings().includes(each) || (each === "tool_not_answered" && tools.isUnanswered()),
    ),
    problem: call.problem(),
  });
}
