import type { WorldCondition } from "../../../domain/campaign/commands.ts";
import type { CampaignPins } from "../../../domain/campaign/state.ts";
import type { AssistantHealth } from "../../call/assistant-health.ts";
import type { CarrierHealth } from "../../call/carrier-health.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Directory } from "../../ports/directory.ts";
import type { EngineSettings } from "../../settings.ts";

export type WorldDeps = {
  readonly directory: Directory;
  readonly admission: Admission;
  readonly carrierHealth: CarrierHealth;
  readonly assistantHealth: AssistantHealth;
  readonly settings: EngineSettings;
};

/** Automatic reasons to pause that hold right now (docs/api.md §5); what cannot be found out counts as missing. */
export async function worldConditions(
  deps: WorldDeps,
  { owner, phoneNumberId, assistant: { assistantId } }: CampaignPins,
): Promise<WorldCondition> {
  const [phoneNumber, assistant, account] = await Promise.all([
    deps.directory.phoneNumber(owner, phoneNumberId),
    deps.directory.assistant(owner, assistantId),
    deps.admission.account(owner),
  ]);
  return {
    phoneNumberInactive: phoneNumber?.active !== true,
    assistantUnpublished: (assistant?.publishedVersion ?? null) === null,
    insufficientCredits: account.balance - account.reserved < deps.settings.pricePerMinute,
    carrierUnavailable: deps.carrierHealth.unavailable(),
    assistantUnavailable: deps.assistantHealth.unavailable(owner),
  };
}
