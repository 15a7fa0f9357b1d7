/** Resolves with the work, or when `stop` aborts before: nobody waits then for an answer that is still on its way. */
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
