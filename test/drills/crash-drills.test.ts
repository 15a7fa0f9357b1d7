import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chainPoints } from "../../simulation/drills/drill-chains.ts";
import { DRILL_POINTS, pointName } from "../../simulation/drills/drill-points.ts";
import { planDrills } from "../../simulation/drills/plan-drills.ts";
import { type PreparedData, prepareData } from "../../simulation/drills/prepared-data.ts";
import { type DrillResult, runDrill } from "../../simulation/drills/run-drill.ts";
import { startMany } from "../../simulation/drills/start-many.ts";

/**
 * Every point once, several in one drill. Each alone, any number of times: `npm run drill -- --count 300`.
 */
const chains = chainPoints(DRILL_POINTS);
const plans = planDrills(chains, chains.length, 1);
/** Two cores are busy with these while the slow ones wait. */
const AT_ONCE = 8;
const LONG = 600_000;

let prepared: PreparedData | null = null;
let drills: readonly Promise<DrillResult>[] = [];
beforeAll(async () => {
  const data = await prepareData();
  prepared = data;
  drills = startMany(plans, AT_ONCE, (plan) => runDrill(plan, data));
}, LONG);
afterAll(async () => {
  await Promise.allSettled(drills);
  await prepared?.remove();
}, LONG);

function told({ point, seed, crashAt, problems }: DrillResult): string {
  const command = `npm run drill -- --point ${point} --seed ${seed}`;
  return [`${command}  (CRASH_AT=${crashAt.join(", then ")})`, ...problems].join("\n");
}

describe("a service that is killed keeps every promise", () => {
  it.for(plans.map(({ point }, index) => [pointName(point), index] as const))(
    "%s",
    { timeout: LONG },
    async ([, index]) => {
      const result = await drills[index];
      expect(result?.problems, result && told(result)).toEqual([]);
      expect(result?.died).toBe(true);
    },
  );
});
