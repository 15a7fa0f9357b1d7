import { expect, it } from "vitest";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import { randomScenario } from "../../simulation/campaigns/random-scenario.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";
import { seededRandom } from "../../simulation/campaigns/seeded-random.ts";

const SEEDS = 30;

/**
 * A window with minutes that leaves out a weekday or the very date of the beginning; now
 * and then of whole days.
 */
function windowWithDates(seed: number, startMillis: number): CallWindow {
  const random = seededRandom(seed, "window with dates");
  const start = random.between(0, 23);
  const hours = random.chance(0.2)
    ? { start: 0, end: 0 }
    : {
        start,
        end: (start + random.between(1, 23)) % 24,
        startMinute: random.between(0, 59),
        endMinute: random.between(0, 59),
      };
  const leftOut = random.between(1, 7);
  return random.chance(0.5)
    ? { ...hours, days: [1, 2, 3, 4, 5, 6, 7].filter((day) => day !== leftOut) }
    : { ...hours, excludedDates: [new Date(startMillis).toISOString().slice(0, 10)] };
}

it(`keeps every promise in ${SEEDS} random campaigns whose windows have days, dates and minutes`, {
  timeout: 300_000,
}, async () => {
  const violations: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const scenario = randomScenario(seed);
    const window = windowWithDates(seed, scenario.startMillis);
    const run = await runScenario({ ...scenario, window, receiver: null, leaseMillis: 600_000 });
    violations.push(
      ...run.violations.map((problem) => `seed ${seed}, ${JSON.stringify(window)}: ${problem}`),
    );
  }
  expect(violations).toEqual([]);
});
