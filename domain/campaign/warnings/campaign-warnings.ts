import { isZoneUnknown, opensAt, type PolicyHours, policyHours } from "../../policy/callable-times.ts";
import type { PolicyInForce } from "../../policy/policy.ts";
import type { CallWindow } from "../../shared/call-window.ts";
import { type CreditUnits, unitsToCredits } from "../../shared/credits.ts";
import type { Instant } from "../../shared/instant.ts";
import { zoneKey } from "../../window/zone-offset.ts";
import type { CountedGroup } from "../contacts/contact-groups.ts";
import type { DefaultedSetting } from "../settings.ts";
import type { PlaceholderFindings } from "../texts/placeholder-check.ts";
import { placeholderWarnings } from "./placeholder-warnings.ts";
import { type CampaignWarning, contactsOf } from "./warning.ts";

export type WarningFacts = {
  readonly settings: { readonly timezone: string; readonly window: CallWindow | null };
  /** Settings that took their default and have not been changed since. */
  readonly defaulted: readonly DefaultedSetting[];
  /** Accepted contacts whose times count alike. */
  readonly groups: readonly CountedGroup[];
  /** Of the owner; null: none. */
  readonly policy: PolicyInForce | null;
  /** Contacts to call whose consent does not count now, or who gave none. */
  readonly withoutConsent: number;
  /** Contacts to call whose number is on a list of the owner now. */
  readonly onLists: number;
  readonly placeholders: PlaceholderFindings;
  /** Places of the file that could not be read as characters. */
  readonly badCharacters: number;
  readonly pricePerMinute: CreditUnits;
  readonly availableCredits: CreditUnits;
  readonly now: Instant;
};

/** Sorted by code, at most one of each. */
export function campaignWarnings(facts: WarningFacts): readonly CampaignWarning[] {
  return [
    badCharacters(facts),
    creditsShort(facts),
    neverOpen(facts),
    noCallWindow(facts),
    ...placeholderWarnings(facts.placeholders),
    policyNoConsent(facts),
    policyOnAList(facts),
    policyZoneUnknown(facts),
    retriesDeclined(facts),
    timezoneDefaulted(facts),
  ]
    .filter((warning) => warning !== null)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

type Rule = (facts: WarningFacts) => CampaignWarning | null;

const badCharacters: Rule = ({ badCharacters: count }) => {
  if (count === 0) return null;
  const what = count === 1 ? "1 character" : `${count} characters`;
  return {
    code: "bad_characters",
    message: `${what} of the file cannot be read: \ufffd stands there`,
    count,
  };
};

const creditsShort: Rule = ({ groups, pricePerMinute, availableCredits }) => {
  const contacts = sumOf(groups);
  const needed = unitsToCredits(contacts * pricePerMinute);
  const available = unitsToCredits(availableCredits);
  if (needed <= available) return null;
  const message = `A minute with each contact takes ${needed} credits; ${available} are available`;
  return { code: "credits_short", message, count: contacts, needed, available };
};

const neverOpen: Rule = ({ settings: { timezone, window }, groups, policy, now }) => {
  const neverOpens = judgedBySpelling((zone, hours) => opensAt({ zone, window, hours }, now) === null);
  const closed = groups.filter((group) =>
    neverOpens(group.timezone ?? timezone, policyHours(group.people, policy)),
  );
  const count = sumOf(closed);
  if (count === 0) return null;
  const isOfBoth = closed.some((group) => !neverOpens(group.timezone ?? timezone, null));
  const what = isOfBoth
    ? "The call window and the callable hours of the policy are never open together"
    : "The call window never opens";
  return { code: "never_open", message: `${what} for ${contactsOf(count)}`, count };
};

/** A zone once, in however many spellings it comes. */
function judgedBySpelling(judge: (zone: string, hours: PolicyHours | null) => boolean): typeof judge {
  const judged = new Map<string, boolean>();
  return (zone, hours) => {
    const key = [zoneKey(zone), ...(hours?.zones ?? [])].join(" ");
    const judgement = judged.get(key) ?? judge(zone, hours);
    judged.set(key, judgement);
    return judgement;
  };
}

const policyZoneUnknown: Rule = ({ groups, policy, now }) => {
  const count = sumOf(groups.filter(({ people }) => isZoneUnknown(people, policy, now)));
  if (count === 0) return null;
  const message = `The policy asks where people live, which is not known of ${contactsOf(count)}: they will be skipped`;
  return { code: "policy_zone_unknown", message, count };
};

const policyNoConsent: Rule = ({ withoutConsent: count, policy }) => {
  if (count === 0 || policy?.policy.requireConsent !== true) return null;
  const message = `The policy asks for consent, which does not count or is missing of ${contactsOf(count)}: they will be skipped`;
  return { code: "policy_no_consent", message, count };
};

const policyOnAList: Rule = ({ onLists: count }) => {
  if (count === 0) return null;
  const message = `The number is on a list of those who are not called, of ${contactsOf(count)}: they will be skipped`;
  return { code: "policy_on_a_list", message, count };
};

const noCallWindow: Rule = ({ settings: { window }, policy }) => {
  if (window !== null && window.start !== window.end) return null;
  if (policy !== null && policy.policy.callableHours !== null) return null;
  const message = "There are no hours of calling: people may be called at any hour, also at night";
  return { code: "no_call_window", message, path: ["callWindowStart"] };
};

const retriesDeclined: Rule = ({ defaulted }) => {
  if (!defaulted.includes("retryOn")) return null;
  const message = "retryOn is not given: people who declined the call are called again";
  return { code: "retries_declined", message, path: ["retryOn"] };
};

const timezoneDefaulted: Rule = ({ settings: { timezone, window }, defaulted, groups }) => {
  const count = sumOf(groups.filter((group) => group.timezone === null));
  if (window === null || !defaulted.includes("timezone") || count === 0) return null;
  const message = `timezone is not given: the call window is judged by the clock of ${timezone} for ${contactsOf(count)}`;
  return { code: "timezone_defaulted", message, count, path: ["timezone"] };
};

function sumOf(groups: readonly CountedGroup[]): number {
  return groups.reduce((sum, { contacts }) => sum + contacts, 0);
}
