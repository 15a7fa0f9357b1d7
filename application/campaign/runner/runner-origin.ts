import type { EventOrigin } from "../../log/append-events.ts";
import type { CampaignRun } from "./campaign-run.ts";

export function runnerOrigin(
  { campaignId, owner }: Pick<CampaignRun, "campaignId" | "owner">,
  causationId: string | null = null,
): EventOrigin {
  return { owner, actor: "process:campaign-runner", correlationId: campaignId, causationId };
}
