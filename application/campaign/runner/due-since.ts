import { oldestDueSince } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { PolicyInForce } from "../../../domain/policy/policy.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { CampaignRun } from "./campaign-run.ts";

/** Remembers for /metrics how long contacts wait to be called. After a takeover, counting starts anew. */
export function somebodyIsDue(
  run: CampaignRun,
  state: CampaignState,
  now: Instant,
  policy: PolicyInForce | null,
): void {
  run.dueSince ??= now;
  run.oldestDueSince = oldestDueSince(state, run.dueSince, now, policy);
}

export function nobodyIsDue(run: CampaignRun): void {
  run.dueSince = null;
  run.oldestDueSince = null;
}
