import type { AssistantCheck, ModelUse } from "../../ports/assistant-check.ts";
import type { Clock } from "../../ports/clock.ts";
import { unlessStopped } from "../../unless-stopped.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import type { AssistantHealth } from "./assistant-health.ts";

/** Interval of the probes of unavailable assistants (docs/api.md §5). */
const PROBE_EVERY_MILLIS = 10_000;
/**
 * A model whose probe succeeds but whose calls fail again is probed half as often each time, down to every 11
 * minutes: the fault is not in the model.
 */
const MOST_DOUBLINGS = 6;
/** Nothing to probe: a change of health wakes the loop. */
const IDLE_MILLIS = 60 * 60_000;

export type AssistantProbeDeps = {
  readonly assistantHealth: AssistantHealth;
  readonly assistantCheck: AssistantCheck;
  readonly clock: Clock;
};

/**
 * Finds out when unavailable assistants work again; idle while all are available. Ends when `stop` aborts.
 */
export async function runAssistantProbe(deps: AssistantProbeDeps, stop: AbortSignal): Promise<void> {
  const { assistantHealth, clock } = deps;
  const signal = createWakeSignal(clock, stop);
  const unsubscribe = assistantHealth.onChange(() => signal.wake());
  for (let round = 1; !stop.aborted; round += 1) {
    if (assistantHealth.allUnavailable().length === 0) {
      round = 0;
      await signal.wait(IDLE_MILLIS);
      continue;
    }
    await clock.sleep(PROBE_EVERY_MILLIS, stop);
    if (!stop.aborted) await unlessStopped(askAll(deps, round), stop);
  }
  unsubscribe();
}

async function askAll({ assistantHealth, assistantCheck }: AssistantProbeDeps, round: number): Promise<void> {
  const isDue = (use: ModelUse) => round % 2 ** Math.min(assistantHealth.relapses(use), MOST_DOUBLINGS) === 0;
  await Promise.all(
    assistantHealth
      .allUnavailable()
      .filter(isDue)
      .map(async (use) => {
        if (await assistantCheck.check(use)) assistantHealth.sawWell(use);
      }),
  );
}
