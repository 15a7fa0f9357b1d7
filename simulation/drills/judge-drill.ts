import type { DrillEvidence } from "./drill-evidence.ts";
import { judgeAccount } from "./judge-account.ts";
import { judgeDeliveries } from "./judge-deliveries.ts";
import { judgeDials } from "./judge-dials.ts";
import { judgeLog } from "./judge-log.ts";

/** Violations of what must be true after every drill (docs/simulation.md); none: the drill has passed. */
export function judgeDrill(evidence: DrillEvidence): string[] {
  return [
    ...judgeDials(evidence),
    ...judgeDeliveries(evidence),
    ...judgeLog(evidence),
    ...evidence.brokenRules,
    ...judgeAccount(evidence),
  ];
}
