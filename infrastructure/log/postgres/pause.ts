import { setTimeout as delay } from "node:timers/promises";

/** Resolves early, and never rejects, when `signal` aborts. */
export async function pause(millis: number, signal: AbortSignal): Promise<void> {
  await delay(millis, undefined, { signal }).catch(() => undefined);
}
