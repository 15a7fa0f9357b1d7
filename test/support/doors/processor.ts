import process from "node:process";

/** So much is measured at least: the system counts in steps of some milliseconds. */
const MEASURED_MILLIS = 50;
const MOST_RUNS = 200;

/** Milliseconds of processor of this thread for one run: the mean of as many as can be measured. */
export async function processorMillis(work: () => unknown, mostRuns = MOST_RUNS): Promise<number> {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    const millis = (user + system) / 1_000;
    if (millis >= MEASURED_MILLIS || runs === mostRuns) return millis / runs;
  }
}

/**
 * Milliseconds of processor of the longest turn of the event loop in a run: so long nobody else is
 * answered. What another thread does does not count.
 */
export async function longestTurnMillis(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return longest;
}

/** Beyond this no busy machine is to blame, and it is not tried again. */
const CERTAINLY = 10;

/**
 * The processor time of a run if no try costs at most `most`, else null. A run that took no longer
 * by the clock has cost no more.
 */
export async function costsMore(work: () => unknown, most: number, tries: number): Promise<number | null> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && (count === 0 || least <= CERTAINLY * most); count += 1) {
    const began = performance.now();
    const millis = await processorMillis(work, 1);
    if (performance.now() - began <= most || millis <= most) return null;
    least = Math.min(least, millis);
  }
  return least;
}

const TIMES = 20;
const TRIES = 5;

/**
 * null: the work costs at most `times` what is linear in so many bytes. Else its milliseconds of
 * processor, of the best of some tries.
 */
export async function overLinear(
  work: () => unknown,
  bytes: number,
  times: number = TIMES,
): Promise<number | null> {
  return costsMore(work, times * (await processorMillis(linearWork(bytes))), TRIES);
}

/** A door reads, cleans, cuts and writes: so many times what it got is gone through. */
const PASSES = 4;

/** Linear for certain, of so many bytes: in each pass each small value of a JSON text is looked at once. */
export function linearWork(bytes: number): () => unknown {
  const text = `[${'"a",'.repeat(Math.floor(bytes / 4) - 1)}"a"]`;
  return () => {
    const seen = new Map<string, number>();
    for (let pass = 0; pass < PASSES; pass += 1) {
      const values: unknown = JSON.parse(text);
      if (!Array.isArray(values)) throw new Error("no list");
      for (const [index, value] of values.entries()) {
        const key = `${String(value)}${index % 1_000}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
    return seen;
  };
}
