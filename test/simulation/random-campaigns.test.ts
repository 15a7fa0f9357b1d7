import { expect, it } from "vitest";
import { runSeeds } from "../../simulation/campaigns/seed-pool.ts";

/**
 * SIMULATION_SEEDS for more or fewer; `npm run simulate -- --seeds N` for any number, with a progress bar and
 * a trace of failures.
 */
const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 3_000);

it(`keeps every promise in ${SEEDS} random campaigns with crashes, faults and two owners`, {
  timeout: 3_600_000,
}, async () => {
  const { count, deaths, failures } = await runSeeds({ from: 1, count: SEEDS }, () => "go on");
  expect(
    failures.map(({ seed, violations }) => `npm run simulate -- --seed ${seed}: ${violations[0]}`),
  ).toEqual([]);
  expect(count).toBe(SEEDS);
  expect(deaths).toBeGreaterThan(SEEDS / 2);
});
