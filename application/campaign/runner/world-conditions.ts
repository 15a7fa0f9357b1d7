import type { WorldCondition } from "../../../domain/campaign/conditions.ts";
import type { CampaignPins } from "../../../domain/campaign/state.ts";
import type { ConnectionId } from "../../../domain/shared/ids.ts";
import type { AssistantHealth } from "../../call/health/assistant-health.ts";
import type { CarrierHealth } from "../../call/health/carrier-health.ts";
import { assistantIsUnavailable } from "../../call/health/model-use.ts";
import { type ModelTokensDeps, modelTokensUsedUp } from "../../model-tokens.ts";
import type { Asking } from "../../policy/asking.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Carriers } from "../../ports/carriers.ts";
import type { Directory } from "../../ports/directory.ts";
import type { Policies } from "../../ports/policies.ts";
import type { SuppressionLists } from "../../ports/suppression-lists.ts";
import type { EngineSettings } from "../../settings.ts";

export type WorldDeps = ModelTokensDeps & {
  readonly directory: Directory;
  readonly admission: Admission;
  readonly carriers: Carriers;
  readonly carrierHealth: CarrierHealth;
  readonly assistantHealth: AssistantHealth;
  readonly policies: Pick<Policies, "inForce">;
  readonly asking: Pick<Asking, "silentUrls">;
  readonly lists: Pick<SuppressionLists, "standing">;
  readonly settings: EngineSettings;
};

/** Current conditions of a campaign, the connection of its number, and how many calls its owner has free. */
export type World = {
  readonly conditions: WorldCondition;
  readonly connectionId: ConnectionId | null;
  /** null: the owner is inactive. */
  readonly freeCalls: number | null;
};

/** Automatic reasons to pause that hold now (docs/api.md §5); what cannot be found out counts as missing. */
export async function worldConditions(
  deps: WorldDeps,
  { owner, phoneNumberId, assistant }: CampaignPins,
): Promise<World> {
  const [user, phoneNumber, standing, account, tokensUsedUp, assistantUnavailable, policy, lists] =
    await Promise.all([
      deps.directory.owner(owner),
      deps.directory.phoneNumber(owner, phoneNumberId),
      deps.directory.assistant(owner, assistant.assistantId),
      deps.admission.account(owner),
      modelTokensUsedUp(deps, owner),
      assistantIsUnavailable(deps, owner, assistant),
      deps.policies.inForce(owner),
      deps.lists.standing(owner),
    ]);
  const connectionId = phoneNumber?.connectionId ?? null;
  const { key } = deps.carriers.routeKeyOf(owner, connectionId);
  const conditions = {
    phoneNumberInactive: phoneNumber?.active !== true,
    assistantUnpublished: (standing?.publishedVersion ?? null) === null,
    insufficientCredits: tokensUsedUp || account.balance - account.reserved < deps.settings.pricePerMinute,
    carrierUnavailable:
      deps.carrierHealth.unavailable(key) || (await deps.carriers.route(owner, connectionId, null)) === null,
    assistantUnavailable,
    policy,
    lists,
    silentUrls: deps.asking.silentUrls(owner),
  };
  const freeCalls =
    user?.active === true ? Math.max(0, user.plan.maxConcurrentCalls - account.liveCalls) : null;
  return { conditions, connectionId, freeCalls };
}
