/**
 * Resolves with the work, or when `stop` aborts first; the work then goes on without anybody waiting for it.
 */
export async function unlessStopped(work: Promise<void>, stop: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const abort = () => resolve();
  stop.addEventListener("abort", abort);
  try {
    await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener("abort", abort);
  }
}
