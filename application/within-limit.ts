import type { Clock } from "./ports/clock.ts";

/** Waits for `work`, but not beyond the moment `limit` of the monotonic clock. */
export async function withinLimit(clock: Clock, work: Promise<unknown>, limit: number): Promise<void> {
  const cut = new AbortController();
  const millis = Math.max(0, limit - clock.monotonicMillis());
  await Promise.race([work, clock.sleep(millis, cut.signal)]);
  cut.abort("done");
}
