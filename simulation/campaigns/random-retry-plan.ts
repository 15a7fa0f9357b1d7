import { PLANNED_END_REASONS } from "../../domain/campaign/retry-policy.ts";
import type { RetryPlanRow } from "../../domain/campaign/settings.ts";
import type { Scenario, ScenarioAction } from "./scenario.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

/** Share of campaigns with a retry plan, and of those whose user changes it. */
const PLANNED_RETRIES = 0.3;
const OTHER_PLAN = 0.4;

/** Share of rows with a wait of hours. A campaign without a window renews its lease all the time. */
const LONG_WAITS = 0.2;
const MOST_HOURS = 30;

/** Drawn separately from all else of the scenario. Some are changed in a pause, others taken away. */
export function withRetryPlan(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "retry plan");
  if (!random.chance(PLANNED_RETRIES)) return scenario;
  const retryPlan = randomPlan(random, scenario);
  if (!random.chance(OTHER_PLAN)) return { ...scenario, retryPlan };
  const at = random.between(0, random.chance(0.7) ? 120_000 : scenario.calmAt - 1);
  const other = random.chance(0.3) ? null : randomPlan(random, scenario);
  const change: readonly ScenarioAction[] = [
    { at, kind: "pause" },
    { at: at + random.between(0, 3_000), kind: "change plan", retryPlan: other },
    { at: at + random.between(3_000, 30_000), kind: "resume" },
  ];
  return {
    ...scenario,
    retryPlan,
    actions: [...scenario.actions, ...change].toSorted((a, b) => a.at - b.at),
  };
}

/** A plan that fits the campaign's reasons and window; null: none of its reasons may stand in a plan. */
function randomPlan(
  random: SeededRandom,
  { retryOn, window }: Pick<Scenario, "retryOn" | "window">,
): readonly RetryPlanRow[] | null {
  const left = PLANNED_END_REASONS.filter((reason) => retryOn?.includes(reason) ?? true);
  const rows: RetryPlanRow[] = [];
  while (left.length > 0 && rows.length < 3 && (rows.length === 0 || random.chance(0.6))) {
    const endReasons = Array.from({ length: random.between(1, Math.min(3, left.length)) }, () =>
      left.splice(random.between(0, left.length - 1), 1),
    ).flat();
    rows.push({
      endReasons,
      afterMins: Array.from({ length: random.between(1, 3) }, () => minutesOf(random, window !== null)),
      sameDay: window === null || random.chance(0.6),
    });
  }
  return rows.length === 0 ? null : rows;
}

function minutesOf(random: SeededRandom, hasWindow: boolean): number {
  return hasWindow && random.chance(LONG_WAITS) ? random.between(60, MOST_HOURS * 60) : random.between(1, 30);
}
