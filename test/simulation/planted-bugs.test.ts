import { describe, expect, it } from "vitest";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.ts";
import { randomScenario } from "./random-scenario.ts";
import { runScenario } from "./run-scenario.ts";

/** The engine changes, and with it what a seed leads to: when the first finder finds nothing any more, so many others are asked. */
const OTHERS = 300;

describe("the judge finds", () => {
  for (const bug of PLANTED_BUGS) {
    it(`an engine that ${bug.name}`, { timeout: 600_000 }, async () => {
      expect(await finderOf(bug)).not.toBeNull();
    });
  }
});

async function finderOf(bug: PlantedBug): Promise<number | null> {
  const seeds = [bug.seed, ...Array.from({ length: OTHERS }, (_, index) => index + 1)];
  for (const seed of seeds) {
    const { violations } = await runScenario(randomScenario(seed), { mutants: bug.mutants });
    if (violations.some((violation) => bug.finding.test(violation))) return seed;
  }
  return null;
}
