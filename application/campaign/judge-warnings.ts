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
import { isInForce } from "../../domain/policy/consent.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Directory } from "../ports/directory.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { type ScreenedContacts, type ScreeningRequest, screenContacts } from "./screen-contacts.ts";

export type JudgedCampaign = Pick<WarningFacts, "settings" | "defaulted">;
export type JudgedContacts = Pick<
  WarningFacts,
  "groups" | "placeholders" | "badCharacters" | "withoutConsent"
> & {
  /** Of those to call, one for each contact. */
  readonly numbers: readonly PhoneNumber[];
};

/** Dials ask the same lists meanwhile. */
const LOOKED_UP_AT_ONCE = 1_000;

/** Uses the current state of the owner's account, its policy and the current time. */
export async function judgeWarnings(
  {
    admission,
    directory,
    policies,
    settings,
    clock,
  }: Pick<UseCaseDeps, "admission" | "directory" | "policies" | "settings" | "clock">,
  owner: OwnerId,
  campaign: JudgedCampaign,
  { numbers, ...contacts }: JudgedContacts,
): Promise<readonly CampaignWarning[]> {
  const { balance, reserved } = await admission.account(owner);
  return campaignWarnings({
    ...campaign,
    ...contacts,
    pricePerMinute: settings.pricePerMinute,
    availableCredits: balance - reserved,
    policy: await policies.inForce(owner),
    onLists: await countOnLists(directory, owner, numbers),
    now: clock.now(),
  });
}

async function countOnLists(
  directory: Pick<Directory, "suppressed">,
  owner: OwnerId,
  numbers: readonly PhoneNumber[],
): Promise<number> {
  let count = 0;
  for (let from = 0; from < numbers.length; from += LOOKED_UP_AT_ONCE) {
    const some = numbers.slice(from, from + LOOKED_UP_AT_ONCE);
    const listed = await directory.suppressed(owner, some);
    count += some.filter((number) => listed.has(number)).length;
  }
  return count;
}

/** Screens the contacts and collects the facts for warnings from the accepted ones, in one pass. */
export async function screenAndJudge(
  deps: Pick<UseCaseDeps, "clock">,
  request: ScreeningRequest,
  texts: CampaignTexts,
): Promise<{ readonly screened: ScreenedContacts; readonly judged: JudgedContacts }> {
  const [groups, found]: [ContactGroups, number[]] = [createContactGroups(), []];
  const numbers: PhoneNumber[] = [];
  const now = deps.clock.nowMillis();
  let withoutConsent = 0;
  const placeholders = createPlaceholderCheck(texts);
  const screened = await screenContacts(deps, request, createTextCheck(texts), (contact) => {
    if (!contact.number.ok) return;
    numbers.push(contact.number.value);
    found.push(groupOfPerson(groups, contact.number.value, contact.timezone));
    if (!isInForce(contact.consent, now)) withoutConsent += 1;
    placeholders.look(contact);
  });
  const { badCharacters = 0 } = request;
  const judged = {
    groups: countedGroups(groups, found),
    placeholders: placeholders.found(),
    badCharacters,
    numbers,
    withoutConsent,
  };
  return { screened, judged };
}
