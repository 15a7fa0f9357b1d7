import { setImmediate } from "node:timers/promises";
import type { LanguageModels } from "../application/ports/language-model.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import { playRun } from "../application/rehearsal/play-run.ts";
import { type RunRehearsalsDeps, runRehearsals } from "../application/rehearsal/run-rehearsals.ts";
import type { CalleeBehaviour } from "../application/voice/callee/behaviour.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { plainCodec } from "../infrastructure/log/codec.ts";
import { createMemoryEventStore } from "../infrastructure/log/memory/event-store.ts";
import { openLoopDelay } from "../infrastructure/rehearsal/loop-delay.ts";
import type { Adapters } from "./open-adapters.ts";
import { processName } from "./process-name.ts";
import type { ServiceContext } from "./service-context.ts";

/** Histograms and counters of calls are of calls alone. */
const NOT_COUNTED: Metrics = {
  count: () => undefined,
  gauge: () => undefined,
  gauges: () => undefined,
  observe: () => undefined,
};

/** Plays rehearsals in this process, beside its conversations. */
export function openRehearsals(
  { config, logger, metrics, closing }: ServiceContext,
  adapters: Adapters,
  talkedWith: RunRehearsalsDeps["talkedWith"],
) {
  const loop = openLoopDelay(metrics);
  closing.push(loop.close);
  const play = runPlayer(adapters.models, logger);
  const deps: RunRehearsalsDeps = {
    ...{ ...adapters, play, talkedWith, calm: loop.calm },
    clock: systemClock,
    logger,
    metrics,
    processId: processName(config),
  };
  return { run: (stop: AbortSignal) => runRehearsals(deps, stop) };
}

/** Plays a run in a world of its own, of which nothing but the models is outside. */
export function runPlayer(
  models: LanguageModels,
  logger: ServiceContext["logger"],
): RunRehearsalsDeps["play"] {
  return (gate, run, stop) =>
    playRun(
      {
        ...gate,
        clock: systemClock,
        turn: () => setImmediate(),
        ids: systemIds,
        openLog: (clock) => createMemoryEventStore(clock),
        codec: plainCodec,
        models,
        simulatedCallee,
        metrics: NOT_COUNTED,
        logger,
      },
      run,
      stop,
    );
}

/** Loaded when a persona meets the scripted model. */
async function simulatedCallee(seed: string): Promise<CalleeBehaviour> {
  const { behaviourOf } = await import("../simulation/callee/personas.ts");
  return behaviourOf({ seed: 0, to: seed, dialsBefore: 0, outcome: "talks" });
}

export type OpenRehearsals = ReturnType<typeof openRehearsals>;
