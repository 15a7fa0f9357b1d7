/**
 * Operations a second of `clients` in parallel for that long; `done` is their total, the last ones included.
 */
export async function rateOf(
  clients: number,
  milliseconds: number,
  operation: (client: number) => Promise<unknown>,
): Promise<{ readonly rate: number; readonly done: number }> {
  const started = performance.now();
  const end = started + milliseconds;
  let done = 0;
  const client = async (index: number): Promise<void> => {
    while (performance.now() < end) {
      await operation(index);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return { rate: (done / (performance.now() - started)) * 1_000, done };
}

export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
