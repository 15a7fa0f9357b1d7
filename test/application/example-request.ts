import type { CreateCampaignRequest } from "../../application/campaign/create-campaign.ts";
import type { ContactInput } from "../../application/campaign/screen-contacts.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { ASSISTANT, PHONE_NUMBER } from "./engine-world.ts";

/** A single call by the example's assistant and number. */
export const SINGLE_CALL = {
  reservedCallId: null,
  phoneNumberId: PHONE_NUMBER,
  assistantId: ASSISTANT,
  squadId: null,
  to: "+12025550100",
  greetingMessage: null,
  specialInstructions: null,
  metadata: {},
} as const;

/** So many contacts with numbers of their own, or those numbers. */
export function exampleContacts(which: number | readonly string[], customData: JsonObject = {}) {
  const numbers = typeof which === "number" ? Array.from({ length: which }, exampleNumber) : which;
  return numbers.map((phoneNumber, index): ContactInput => {
    const number = parsePhoneNumber(phoneNumber);
    return { index, phoneNumber, number, name: null, customData, timezone: null, externalId: null };
  });
}

function exampleNumber(_: unknown, index: number): string {
  return `+1202555${String(index).padStart(4, "0")}`;
}

/** A campaign `cmp_1` of so many contacts with numbers of their own. */
export function campaignRequest(
  count: number,
  changes: Partial<CreateCampaignRequest> = {},
): CreateCampaignRequest {
  return {
    reservedCampaignId: "cmp_1",
    name: "Test",
    phoneNumberId: PHONE_NUMBER,
    assistantId: ASSISTANT,
    contacts: exampleContacts(count),
    refusedRows: [],
    skipDuplicates: false,
    maxRetries: 1,
    retryIntervalMins: 1,
    timezone: "Europe/Istanbul",
    window: null,
    ...changes,
  };
}
