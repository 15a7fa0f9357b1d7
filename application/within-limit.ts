import type { Clock } from "./ports/clock.ts";
import { EventStoreError } from "./ports/event-store.ts";
import { createSleepCut } from "./wake-signal.ts";

/** Waits for `work`, but not beyond the moment `limit` of the monotonic clock. */
export async function withinLimit(clock: Clock, work: Promise<unknown>, limit: number): Promise<void> {
  const cut = createSleepCut();
  const millis = Math.max(0, limit - clock.monotonicMillis());
  try {
    await Promise.race([work, clock.sleep(millis, cut)]);
  } finally {
    cut.abort();
  }
}

/** Clients give a request 30 s; what follows a command (reading its own write) takes 2 s of them. */
const ANSWER_MILLIS = 25_000;

/**
 * The result of a command, or Unavailable after 25 s, whatever its stores do: its outcome is unknown then,
 * and it goes on.
 */
export async function answeredInTime<T>(clock: Clock, command: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = command.finally(() => {
    isSettled = true;
  });
  await withinLimit(clock, settled, clock.monotonicMillis() + ANSWER_MILLIS);
  if (isSettled) return command;
  command.catch(() => undefined);
  throw new EventStoreError({ kind: "unavailable", cause: `no answer within ${ANSWER_MILLIS} ms` });
}
