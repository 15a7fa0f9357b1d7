import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import type { SeedBlock, SeedResults } from "./seed-pool.ts";

// Before the engine is loaded, which each thread of each run would strip of its types and compile anew.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/ringfold-simulation"));
const { randomScenario } = await import("./random-scenario.ts");
const { runScenario } = await import("./run-scenario.ts");

parentPort?.on("message", async (block: SeedBlock) => parentPort?.postMessage(await runBlock(block)));

async function runBlock({ from, count }: SeedBlock): Promise<SeedResults> {
  const failures: SeedResults["failures"][number][] = [];
  let deaths = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runScenario(randomScenario(seed));
    deaths += result.deaths;
    if (result.violations.length > 0) failures.push({ seed, violations: result.violations });
  }
  return { count, deaths, failures };
}
