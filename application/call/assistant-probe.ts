import type { AssistantCheck } from "../ports/assistant-check.ts";
import type { Clock } from "../ports/clock.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { AssistantHealth } from "./assistant-health.ts";

/** Unavailable assistants are asked so often whether they are well again (docs/api.md §5). */
const PROBE_EVERY_MILLIS = 10_000;
/** Where nobody can be asked they are tried again after so long. */
const UNASKED_MILLIS = 60_000;
/** Nothing to ask: a change of their health wakes it. */
const IDLE_MILLIS = 60 * 60_000;

export type AssistantProbeDeps = {
  readonly assistantHealth: AssistantHealth;
  /** Absent: nobody can be asked. */
  readonly assistantCheck?: AssistantCheck;
  readonly clock: Clock;
};

/** Finds out when unavailable assistants are well again; waits for nothing while all are. Ends when `stop` aborts. */
export async function runAssistantProbe(deps: AssistantProbeDeps, stop: AbortSignal): Promise<void> {
  const { assistantHealth, clock } = deps;
  const signal = createWakeSignal(clock, stop);
  const since = new Map<string, number>();
  const unsubscribe = assistantHealth.onChange((owner) => {
    since.set(owner, clock.monotonicMillis());
    signal.wake();
  });
  while (!stop.aborted) {
    if (assistantHealth.unavailableOwners().length === 0) await signal.wait(IDLE_MILLIS);
    if (assistantHealth.unavailableOwners().length === 0) continue;
    await clock.sleep(PROBE_EVERY_MILLIS, stop);
    // Nobody waits for an answer that is still on its way when this stops.
    if (!stop.aborted) await unlessStopped(askAll(deps, since), stop);
  }
  unsubscribe();
}

async function unlessStopped(work: Promise<void>, stop: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const abort = () => resolve();
  stop.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener("abort", abort);
  }
}

async function askAll(
  { assistantHealth, assistantCheck, clock }: AssistantProbeDeps,
  since: Map<string, number>,
): Promise<void> {
  const isWell = async (owner: string) => {
    if (assistantCheck !== undefined) return assistantCheck.check(owner);
    return clock.monotonicMillis() - (since.get(owner) ?? 0) >= UNASKED_MILLIS;
  };
  await Promise.all(
    assistantHealth.unavailableOwners().map(async (owner) => {
      if (!(await isWell(owner))) return;
      assistantHealth.sawWell(owner);
      since.delete(owner);
    }),
  );
}
