import type { Connection } from "./connection.ts";
import { unavailable } from "./failures.ts";
import { pause } from "./waiting.ts";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** `done`, or the cause for which it is worth another attempt. */
export type Attempt<T> = { readonly done: T } | { readonly again: string };

/** Repeats until it is done, or rejects Unavailable when the budget is used up or the adapter is closed. */
export async function retrying<T>(
  connection: Connection,
  signal: AbortSignal,
  attempt: () => Promise<Attempt<T>>,
): Promise<T> {
  const end = performance.now() + connection.budgetMs;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    if (signal.aborted) throw unavailable("closed or aborted");
    const outcome = await attempt();
    if ("done" in outcome) return outcome.done;
    if (performance.now() + wait > end) throw unavailable(outcome.again);
    await pause(wait, signal);
  }
}
