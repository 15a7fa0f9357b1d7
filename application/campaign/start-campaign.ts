import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { CampaignCommandDeps } from "./campaign-commands.ts";
import { warningsOf } from "./stored-contacts.ts";

export type CampaignStartedAnswer = { readonly warnings: readonly CampaignWarning[] };

/** Warnings are judged before the start: after it, the first calls have reserved credits. */
export async function startCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
): Promise<Outcome<CampaignStartedAnswer>> {
  const warnings = await warningsOf(deps, caller, campaignId);
  const started = await deps.runners.execute(
    campaignId,
    { type: "StartCampaign" },
    { ...caller, causationId: null },
  );
  return started.ok ? { ...started, value: { warnings } } : started;
}
