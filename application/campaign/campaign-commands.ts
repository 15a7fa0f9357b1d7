import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { CampaignId, ContactId } from "../../domain/shared/ids.ts";
import type { Caller, Outcome } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import type { CampaignRunners } from "./runner/campaign-runners.ts";
import type { ImportedChunks } from "./runner/contact-texts.ts";
import type { UserCommand } from "./runner/queued-command.ts";
import { refusedStartTime } from "./start-time.ts";

/** PATCH /campaigns/:id, checked for ranges, zones and the window rule. `window` null: no restriction. */
export type CampaignSettingsChanges = Partial<CampaignSettings>;

export type CampaignCommandDeps = UseCaseDeps & {
  readonly runners: CampaignRunners;
  readonly importedChunks: ImportedChunks;
};

type Command = (deps: CampaignCommandDeps, caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;

/** All of them are executed by the process that holds the campaign's lease. */
const commanding =
  (command: UserCommand): Command =>
  (deps, caller, campaignId) =>
    deps.runners.execute(campaignId, command, { ...caller, causationId: null });

export const pauseCampaign: Command = commanding({ type: "PauseCampaign" });
export const resumeCampaign: Command = commanding({ type: "ResumeCampaign" });

export function cancelCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  { hangUpActiveCalls }: { readonly hangUpActiveCalls: boolean },
): Promise<Outcome<null>> {
  return commanding({ type: "CancelCampaign", hangUpActiveCalls })(deps, caller, campaignId);
}

export function changeCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  changes: CampaignSettingsChanges,
): Promise<Outcome<null>> {
  const wrongTime = refusedStartTime(changes.startAt ?? null, deps.clock.now());
  if (wrongTime !== null) return Promise.resolve(wrongTime);
  return commanding({ type: "ChangeSettings", changes })(deps, caller, campaignId);
}

export function skipContact(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  contactId: ContactId,
): Promise<Outcome<null>> {
  return commanding({ type: "SkipContact", contactId })(deps, caller, campaignId);
}
