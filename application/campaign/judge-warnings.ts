import {
  type ContactGroups,
  countedGroups,
  createContactGroups,
  groupOfPerson,
} from "../../domain/campaign/contacts/contact-groups.ts";
import { type CampaignTexts, createTextCheck } from "../../domain/campaign/texts/personalisation.ts";
import { createPlaceholderCheck } from "../../domain/campaign/texts/placeholder-check.ts";
import { campaignWarnings, type WarningFacts } from "../../domain/campaign/warnings/campaign-warnings.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { type ScreenedContacts, type ScreeningRequest, screenContacts } from "./screen-contacts.ts";

export type JudgedCampaign = Pick<WarningFacts, "settings" | "defaulted">;
export type JudgedContacts = Pick<WarningFacts, "groups" | "placeholders" | "badCharacters">;

/** Uses the current state of the owner's account, its policy and the current time. */
export async function judgeWarnings(
  {
    admission,
    policies,
    settings,
    clock,
  }: Pick<UseCaseDeps, "admission" | "policies" | "settings" | "clock">,
  owner: OwnerId,
  campaign: JudgedCampaign,
  contacts: JudgedContacts,
): Promise<readonly CampaignWarning[]> {
  const { balance, reserved } = await admission.account(owner);
  return campaignWarnings({
    ...campaign,
    ...contacts,
    pricePerMinute: settings.pricePerMinute,
    availableCredits: balance - reserved,
    policy: await policies.inForce(owner),
    now: clock.now(),
  });
}

/** Screens the contacts and collects the facts for warnings from the accepted ones, in one pass. */
export async function screenAndJudge(
  deps: Pick<UseCaseDeps, "clock">,
  request: ScreeningRequest,
  texts: CampaignTexts,
): Promise<{ readonly screened: ScreenedContacts; readonly judged: JudgedContacts }> {
  const [groups, found]: [ContactGroups, number[]] = [createContactGroups(), []];
  const placeholders = createPlaceholderCheck(texts);
  const screened = await screenContacts(deps, request, createTextCheck(texts), (contact) => {
    if (contact.number.ok) found.push(groupOfPerson(groups, contact.number.value, contact.timezone));
    placeholders.look(contact);
  });
  const { badCharacters = 0 } = request;
  const judged = {
    groups: countedGroups(groups, found),
    placeholders: placeholders.found(),
    badCharacters,
  };
  return { screened, judged };
}
