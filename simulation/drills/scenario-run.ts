import type { DrillPlan } from "./drill-plan.ts";
import type { DrillSetup } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";

/**
 * The user's actions in a drill. `crashed` resolves when the service has died as often as planned.
 * `afterwards`: what is done, and found wrong, when the records of all before it were judged.
 */
export type ScenarioRun = (
  world: DrillWorld,
  setup: DrillSetup,
  plan: DrillPlan,
  crashed: () => Promise<void>,
) => Promise<{
  readonly campaignId: string | null;
  readonly problems: readonly string[];
  readonly afterwards?: () => Promise<readonly string[]>;
}>;
