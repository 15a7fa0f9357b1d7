import type { CreateCampaignRequest } from "../../application/campaign/create-campaign.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { ASSISTANT, PHONE_NUMBER } from "./engine-world.ts";

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
    squadId: null,
    contacts: Array.from({ length: count }, (_, index) => {
      const phoneNumber = `+1202555${String(index).padStart(4, "0")}`;
      const number = parsePhoneNumber(phoneNumber);
      return { index, phoneNumber, number, name: null, customData: {}, timezone: null, externalId: null };
    }),
    refusedRows: [],
    skipDuplicates: false,
    greetingMessage: null,
    specialInstructions: null,
    metadata: {},
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
    maxRetries: 1,
    retryIntervalMins: 1,
    retryOn: null,
    ringTimeoutSeconds: null,
    timezone: "Europe/Istanbul",
    window: null,
    ...changes,
  };
}
