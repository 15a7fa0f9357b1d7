import { expect, it } from "vitest";
import { randomScenario } from "./random-scenario.ts";
import { runScenario } from "./run-scenario.ts";

/** SIMULATION_SEEDS=20000 for more; `npm run simulate -- --seeds N` for any number, with a progress bar and a trace of what fails. */
const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 600);

it(`keeps every promise in ${SEEDS} random campaigns with crashes, faults and two owners`, {
  timeout: 3_600_000,
}, async () => {
  const failures: string[] = [];
  let deaths = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await runScenario(randomScenario(seed));
    deaths += result.deaths;
    for (const violation of result.violations)
      failures.push(`npm run simulate -- --seed ${seed}: ${violation}`);
  }
  expect(failures).toEqual([]);
  expect(deaths).toBeGreaterThan(SEEDS / 2);
});
