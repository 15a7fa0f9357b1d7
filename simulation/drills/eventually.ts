/**
 * Waits until `probe` answers something other than null or undefined (or false); fails with
 * what it was waiting for.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMillis = 60_000,
): Promise<NonNullable<T>> {
  const until = performance.now() + timeoutMillis;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > until) throw new Error(`Waited ${timeoutMillis} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
