import { withEffectiveCap } from "../../application/campaign/effective-cap.ts";
import { type CampaignWithStatistics, ReadModelUnservedError } from "../../application/ports/queries.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { ApiDeps } from "../deps.ts";
import { found } from "../ids.ts";

type Reading = Pick<ApiDeps, "queries" | "directory" | "clock">;

export async function campaignAnswer(deps: Reading, owner: OwnerId, whole: CampaignWithStatistics) {
  const [campaign] = await withEffectiveCap(deps, owner, [whole.campaign]);
  return { campaign: found("cmp", campaign ?? null), statistics: whole.statistics };
}

/** After a write: from the read model, or from the log while the read model is behind. */
export async function campaignAfterWrite(deps: Reading, owner: OwnerId, id: CampaignId, caughtUp: boolean) {
  const whole = caughtUp ? await campaignNow(deps, owner, id) : await campaignFromLog(deps, owner, id);
  return campaignAnswer(deps, owner, found("cmp", whole));
}

/**
 * For a write, which must not wait for a read model: from the log if the read model does not have it (yet).
 */
export async function campaignNow(deps: Reading, owner: OwnerId, id: CampaignId) {
  try {
    const known = await deps.queries.campaign(owner, id);
    if (known !== null) return known;
  } catch (error) {
    if (!(error instanceof ReadModelUnservedError)) throw error;
  }
  return campaignFromLog(deps, owner, id);
}

/** For a change that depends on the current state. */
export function campaignFromLog({ queries, clock }: Reading, owner: OwnerId, id: CampaignId) {
  return queries.campaignAt(owner, id, clock.now());
}
