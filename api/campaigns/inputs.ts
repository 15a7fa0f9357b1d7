import type { CreateCampaignRequest } from "../../application/campaign/create-campaign.ts";
import type { ContactInput } from "../../application/campaign/screen-contacts.ts";
import { jsonObject } from "../../contract/fields.ts";
import { windowOf } from "./call-window.ts";
import type { CampaignSettingsInput, ContactBody } from "./schemas.ts";

/** Can be iterated as often as the bodies. */
export function contactInputs(bodies: Iterable<ContactBody>): Iterable<ContactInput> {
  return {
    *[Symbol.iterator]() {
      let index = 0;
      for (const body of bodies) {
        yield contactInput(body, index);
        index += 1;
      }
    },
  };
}

function contactInput(body: ContactBody, index: number): ContactInput {
  return {
    index,
    phoneNumber: body.phoneNumber,
    number: body.number,
    name: body.name ?? null,
    customData: jsonObject(body.customData),
    timezone: body.timezone ?? null,
    externalId: body.externalId ?? null,
  };
}

type Contacts = Pick<
  CreateCampaignRequest,
  "contacts" | "refusedRows" | "refusedInAll" | "badCharacters" | "reservedCampaignId"
>;

export function campaignInput(body: CampaignSettingsInput, contacts: Contacts): CreateCampaignRequest {
  return {
    ...contacts,
    name: body.name,
    phoneNumberId: body.phoneNumberId,
    assistantId: body.assistantId,
    squadId: body.squadId ?? null,
    skipDuplicates: body.skipDuplicates ?? false,
    greetingMessage: body.greetingMessage ?? null,
    specialInstructions: body.specialInstructions ?? null,
    metadata: jsonObject(body.metadata),
    maxConcurrentCalls: body.maxConcurrentCalls ?? null,
    maxCallsPerSecond: body.maxCallsPerSecond ?? null,
    maxRetries: body.maxRetries ?? null,
    retryIntervalMins: body.retryIntervalMins ?? null,
    retryOn: body.retryOn ?? null,
    ringTimeoutSeconds: body.ringTimeoutSeconds ?? null,
    timezone: body.timezone ?? null,
    window: windowOf(body),
    startAt: body.startAt ?? null,
  };
}
