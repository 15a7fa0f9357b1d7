import { describe, expect, it } from "vitest";
import { REFERENCE_SCENARIOS } from "../../simulation/campaigns/reference-scenarios.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";

/** SIMULATION_CRASH_SEEDS=5 tries each place with five carriers. */
const SEEDS = Number(process.env["SIMULATION_CRASH_SEEDS"] ?? 1);

describe("a process that dies right before or after an effect", () => {
  for (const [name, scenario] of Object.entries(REFERENCE_SCENARIOS)) {
    it(`breaks no promise at any place: ${name}`, { timeout: 3_600_000 }, async () => {
      const failures: string[] = [];
      let deaths = 0;
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { places } = await runScenario({ ...scenario, seed });
        for (let place = 1; place <= places; place += 1) {
          const result = await runScenario({ ...scenario, seed, crashes: [place] });
          deaths += result.deaths;
          for (const violation of result.violations)
            failures.push(`seed ${seed}, place ${place}: ${violation}`);
        }
        expect(deaths).toBeGreaterThanOrEqual(places - 1);
      }
      expect(failures).toEqual([]);
    });
  }
});
