import { expect, it } from "vitest";
import { runSeeds } from "../../simulation/campaigns/seed-pool.ts";
import { BUDGET_MILLIS, FIRST_SEED } from "../support/seeds.ts";

/** More than any budget has time for. */
const ENDLESS = 2 ** 31;

it(`keeps every promise in random campaigns with crashes, faults and two owners, from seed ${FIRST_SEED} on`, {
  timeout: 600_000 + 10 * BUDGET_MILLIS,
}, async () => {
  const began = performance.now();
  const { count, deaths, failures } = await runSeeds({ from: FIRST_SEED, count: ENDLESS }, ({ failures }) =>
    failures.length > 0 || performance.now() - began >= BUDGET_MILLIS ? "stop" : "go on",
  );
  console.log(`${count} random campaigns from seed ${FIRST_SEED}, ${deaths} crashes`);
  expect(
    failures.map(({ seed, violations }) => `npm run simulate -- --seed ${seed}: ${violations[0]}`),
  ).toEqual([]);
  expect(deaths).toBeGreaterThan(0);
});
