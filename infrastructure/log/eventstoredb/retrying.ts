import { isEventStoreFailure } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../clock.ts";
import type { Connection } from "./connection.ts";
import { type Again, unavailable } from "./failures.ts";

const FIRST_PAUSE_MILLIS = 20;
const LONGEST_PAUSE_MILLIS = 1_000;

export type Attempt<T> = { readonly done: T } | Again;

/** Repeats until it succeeds; rejects Unavailable when its time is used up or the adapter is closed. */
export async function retrying<T>(
  { patience }: Pick<Connection, "patience">,
  signal: AbortSignal,
  attempt: () => Promise<Attempt<T>>,
): Promise<T> {
  const began = performance.now();
  for (let wait = FIRST_PAUSE_MILLIS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MILLIS)) {
    if (signal.aborted) throw unavailable("closed or aborted");
    const outcome = await attempt().catch((error: unknown) => {
      if (!isEventStoreFailure(error, "unavailable")) patience.answered();
      throw error;
    });
    const away = "again" in outcome && outcome.away === true;
    if (!away) patience.answered();
    if ("done" in outcome) return outcome.done;
    if (performance.now() + wait > began + patience.budgetMillis()) {
      if (away) patience.usedUp();
      throw unavailable(outcome.again);
    }
    await systemClock.sleep(wait, signal);
  }
}

/**
 * The result of the work, or Unavailable as soon as `signal` aborts; the work then goes on and
 * its result is ignored.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(unavailable("closed or aborted"));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
