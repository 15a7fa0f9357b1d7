import type { CampaignId, ContactId } from "../../domain/shared/ids.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { Bind, UseCaseDeps } from "../use-case-deps.ts";
import type { CampaignRunners } from "./runner/campaign-runners.ts";
import type { ImportedChunks } from "./runner/contact-texts.ts";
import type { UserCommand } from "./runner/queued-command.ts";

export type CampaignCommandDeps = UseCaseDeps & {
  readonly runners: CampaignRunners;
  readonly importedChunks: ImportedChunks;
};

/**
 * What users do with a campaign that exists: CAMPAIGN_NOT_FOUND, CAMPAIGN_INVALID_STATE. Pause and cancel
 * answer after every dial recorded before them has begun or failed.
 */
export function campaignCommands(bound: Bind<CampaignCommandDeps>) {
  return {
    pauseCampaign: bound(commanding({ type: "PauseCampaign" })),
    resumeCampaign: bound(commanding({ type: "ResumeCampaign" })),
    cancelCampaign: bound(cancelCampaign),
    deleteCampaign: bound(commanding({ type: "DeleteCampaign" })),
    skipContact: bound(skipContact),
  };
}

type Command = (deps: CampaignCommandDeps, caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;

/** All of them are executed by the process that holds the campaign's lease. */
function commanding(command: UserCommand): Command {
  return (deps, caller, campaignId) =>
    deps.runners.execute(campaignId, command, { ...caller, causationId: null });
}

function cancelCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  { hangUpActiveCalls }: { readonly hangUpActiveCalls: boolean },
): Promise<Outcome<null>> {
  return commanding({ type: "CancelCampaign", hangUpActiveCalls })(deps, caller, campaignId);
}

/** Also CONTACT_NOT_FOUND. */
function skipContact(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  contactId: ContactId,
): Promise<Outcome<null>> {
  return commanding({ type: "SkipContact", contactId })(deps, caller, campaignId);
}
