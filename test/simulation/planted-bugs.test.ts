import { describe, expect, it } from "vitest";
import type { PlantedBug } from "../../simulation/campaigns/mutants.ts";
import { PLANTED_BUGS } from "../../simulation/campaigns/planted-bugs.ts";
import { randomScenario } from "../../simulation/campaigns/random-scenario.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";
import type { Scenario } from "../../simulation/campaigns/scenario.ts";

/**
 * The engine changes, and with it the result of a seed: if the first finder finds nothing any more, so
 * many others are tried.
 */
const OTHERS = 300;

describe("the judge finds, and without the bug finds nothing,", () => {
  for (const bug of PLANTED_BUGS) {
    it(`an engine that ${bug.name}`, { timeout: 600_000 }, async () => {
      const finder = await finderOf(bug);
      expect(finder).not.toBeNull();
      if (finder !== null) expect((await runScenario(finder)).violations).toEqual([]);
    });
  }
});

/** The scenario that finds it; null: none. */
async function finderOf({ found, mutants, finding }: PlantedBug): Promise<Scenario | null> {
  const shows = async (scenario: Scenario): Promise<boolean> => {
    const { violations } = await runScenario(scenario, { mutants });
    return violations.some((violation) => finding.test(violation));
  };
  if ("dyingIn" in found) {
    const { places } = await runScenario(found.dyingIn);
    for (let place = 1; place <= places; place += 1) {
      const scenario = { ...found.dyingIn, crashes: [place] };
      if (await shows(scenario)) return scenario;
    }
    return null;
  }
  for (const seed of [found.seed, ...Array.from({ length: OTHERS }, (_, index) => index + 1)]) {
    const scenario = randomScenario(seed);
    if (await shows(scenario)) return scenario;
  }
  return null;
}
