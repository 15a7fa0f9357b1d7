const SOONEST_MILLIS = 10;
const LATEST_MILLIS = 100;

/**
 * Waits until `probe` answers something other than null or undefined (or false); fails with
 * what it was waiting for. It asks more and more seldom, at most a tenth later than it could: what waits for
 * minutes leaves the cores to what it waits for.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMillis = 60_000,
): Promise<NonNullable<T>> {
  const began = performance.now();
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    const waited = performance.now() - began;
    if (waited > timeoutMillis) throw new Error(`Waited ${timeoutMillis} ms in vain for ${what}`);
    const pause = Math.min(Math.max(waited / 10, SOONEST_MILLIS), LATEST_MILLIS);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
