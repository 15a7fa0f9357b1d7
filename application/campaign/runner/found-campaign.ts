import { eligibilityCheckOf } from "../../../domain/campaign/settings.ts";
import type { CampaignPins, CampaignState } from "../../../domain/campaign/state.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { modelUse } from "../../call/health/model-use.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { RunnerDeps } from "./runner-deps.ts";

/** What this process must know of a campaign before it runs it. `owner` null: it does not exist (yet). */
export type FoundCampaign = Pick<CampaignState, "owner" | "pins" | "settings" | "pauseReason"> & {
  readonly isImporting: boolean;
};

export function findCampaign({ aggregates }: RunnerDeps, campaignId: CampaignId): Promise<FoundCampaign> {
  return aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ owner, pins, settings, pauseReason, openImports }) => ({
      owner,
      pins,
      settings,
      pauseReason,
      isImporting: openImports.size > 0,
    }),
    { fresh: true },
  );
}

/** The resource for which the campaign is paused counts as unavailable until this process knows better. */
export async function assumePauseReason(
  deps: RunnerDeps,
  owner: OwnerId,
  { pins, settings, pauseReason }: FoundCampaign,
): Promise<void> {
  if (pins === null) return;
  if (pauseReason === "carrier_unavailable") await assumeCarrierAway(deps, pins);
  if (pauseReason === "assistant_unavailable")
    deps.assistantHealth.assumeUnavailable(await modelUse(deps, owner, pins.assistant));
  if (pauseReason !== "eligibility_unavailable") return;
  const asked = eligibilityCheckOf(settings, await deps.policies.inForce(owner));
  if (asked !== null) deps.asking.assumeSilent(owner, asked.url);
}

async function assumeCarrierAway(
  { directory, carriers, carrierHealth }: RunnerDeps,
  pins: CampaignPins,
): Promise<void> {
  const number = await directory.phoneNumber(pins.owner, pins.phoneNumberId);
  carrierHealth.assumeUnavailable(carriers.routeKeyOf(pins.owner, number?.connectionId ?? null));
}
