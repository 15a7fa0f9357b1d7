import type { DrillPlan } from "./drill-plan.ts";
import type { DrillSetup } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";

/** What the user of a drill wants. `crashed` resolves when the service has died as often as it should. */
export type ScenarioRun = (
  world: DrillWorld,
  setup: DrillSetup,
  plan: DrillPlan,
  crashed: () => Promise<void>,
) => Promise<{ readonly campaignId: string | null; readonly problems: readonly string[] }>;
