import { oldestDueSince } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { CampaignRun } from "./campaign-run.ts";

/** Remembers for /metrics how long people wait to be called. A process that takes a campaign over begins to count anew. */
export function somebodyIsDue(run: CampaignRun, state: CampaignState, now: Instant): void {
  run.dueSince ??= now;
  run.oldestDueSince = oldestDueSince(state, run.dueSince);
}

export function nobodyIsDue(run: CampaignRun): void {
  run.dueSince = null;
  run.oldestDueSince = null;
}
