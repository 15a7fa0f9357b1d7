import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Seeds that one thread runs in order. */
export type SeedBlock = { readonly from: number; readonly count: number };

export type SeedFailure = { readonly seed: number; readonly violations: readonly string[] };

export type SeedResults = {
  readonly count: number;
  readonly deaths: number;
  readonly failures: readonly SeedFailure[];
};

const BLOCK = 50;
/**
 * Nearly everything that a run allocates is garbage a moment later: with a small young
 * generation V8 would copy it.
 */
const YOUNG_GENERATION_MB = 96;

/**
 * Runs random campaigns on all cores. `onBlock` is called for every finished block, in any order; once it
 * returns "stop" no further seeds are begun. Rejects when a thread dies.
 */
export async function runSeeds(
  { from, count }: SeedBlock,
  onBlock: (results: SeedResults) => "stop" | "go on",
): Promise<SeedResults> {
  const blocks = blocksOf(from, count);
  const total = { count: 0, deaths: 0, failures: [] as SeedFailure[] };
  let stopped = false;
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("./seed-worker.ts", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    try {
      for (let block = blocks.next(); block.done !== true && !stopped; block = blocks.next()) {
        worker.postMessage(block.value);
        const [results]: SeedResults[] = await once(worker, "message");
        if (results === undefined) throw new Error("a thread answered nothing");
        total.count += results.count;
        total.deaths += results.deaths;
        total.failures.push(...results.failures);
        stopped = onBlock(results) === "stop" || stopped;
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { ...total, failures: total.failures.toSorted((a, b) => a.seed - b.seed) };
}

function* blocksOf(from: number, count: number): Generator<SeedBlock, undefined> {
  for (let begin = from; begin < from + count; begin += BLOCK) {
    yield { from: begin, count: Math.min(BLOCK, from + count - begin) };
  }
}
