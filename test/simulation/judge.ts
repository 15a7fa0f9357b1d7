import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/** What must hold in every run (simulation.md); answers what does not. */
export function judge(shared: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  return [...observer.problems];
}
