import { judgeCalls } from "./judge-calls.ts";
import { judgeCampaign } from "./judge-campaign.ts";
import { judgeMoneyAndWebhooks } from "./judge-money.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/** What must hold in every run (simulation.md, I1 to I9); answers what does not. It reads the log and the outside world, never the engine. */
export function judge(shared: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  return [
    ...observer.problems,
    ...judgeCalls(shared, scenario, observer),
    ...judgeCampaign(scenario, observer),
    ...judgeMoneyAndWebhooks(shared, observer),
  ];
}
