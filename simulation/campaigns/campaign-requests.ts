import type { CampaignId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { consentGiven, SIMULATED_ADDRESS } from "./random-permission.ts";
import type { Scenario, ScenarioContact } from "./scenario.ts";
import { ASSISTANT, CAMPAIGN, PHONE_NUMBER, SECOND_CAMPAIGN } from "./simulated-names.ts";

const parsed = new Map<string, ReturnType<typeof parsePhoneNumber>>();

/** All scenarios use the same few numbers. */
function parsedOnce(phoneNumber: string): ReturnType<typeof parsePhoneNumber> {
  const known = parsed.get(phoneNumber) ?? parsePhoneNumber(phoneNumber);
  parsed.set(phoneNumber, known);
  return known;
}

export const inputOf = (scenario: Scenario) => (contact: ScenarioContact, index: number) => {
  const { phoneNumber, timezone } = contact;
  const number = parsedOnce(phoneNumber);
  return {
    index,
    phoneNumber,
    number,
    timezone,
    name: `Name ${index}`,
    customData: { index },
    externalId: null,
    ...consentGiven(scenario, contact),
  };
};

export type NewCampaign = Pick<Scenario, "contacts" | "startAtMillis"> & { readonly campaignId: CampaignId };

export function firstOf({ contacts, startAtMillis }: Scenario): NewCampaign {
  return { campaignId: CAMPAIGN, contacts, startAtMillis };
}

export function secondOf(contacts: NewCampaign["contacts"]): NewCampaign {
  return { campaignId: SECOND_CAMPAIGN, contacts, startAtMillis: null };
}

/** A repeat after a crash has no start time in the past. */
export function createRequest(
  scenario: Scenario,
  { campaignId, contacts, startAtMillis }: NewCampaign,
  nowMillis: number,
) {
  const { maxConcurrentCalls, maxRetries, retryIntervalMins, retryOn, retryPlan } = scenario;
  const { timezone, window } = scenario;
  return {
    reservedCampaignId: campaignId,
    name: "Simulated",
    phoneNumberId: PHONE_NUMBER,
    assistantId: ASSISTANT,
    contacts: contacts.map(inputOf(scenario)),
    refusedRows: [],
    skipDuplicates: false,
    specialInstructions: "Say {{index}}",
    maxConcurrentCalls,
    maxRetries,
    retryIntervalMins,
    ...(retryOn === null ? {} : { retryOn }),
    retryPlan,
    timezone,
    window,
    ...(scenario.address?.ofCampaign === true ? { eligibility: SIMULATED_ADDRESS } : {}),
    startAt: startAtMillis === null ? null : instantFromMillis(Math.max(startAtMillis, nowMillis)),
  };
}
