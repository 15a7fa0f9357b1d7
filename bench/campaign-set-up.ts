import type { OutcomeSettings } from "../domain/outcome/settings.ts";
import { anything, campaignAnswer, withId } from "./bench-api.ts";
import type { BenchService } from "./bench-service.ts";

export type References = { readonly assistantId: string; readonly phoneNumberId: string };

/** What every call and campaign needs: a published assistant and an active number. */
export async function references(
  { api }: Pick<BenchService, "api">,
  {
    phoneNumber = "+15005550100",
    ...ofAssistant
  }: { readonly phoneNumber?: string; readonly recording?: "off"; readonly outcome?: OutcomeSettings } = {},
): Promise<References> {
  const assistant = await api.post(withId, "/api/v1/assistants", {
    name: "Reminder",
    greetingMessage: "Hello {{name}}, this is Ringfold with a short reminder.",
    systemPrompt: "You remind people of what is due, kindly and briefly.",
    ...ofAssistant,
  });
  await api.post(anything, `/api/v1/assistants/${assistant.id}/publish`);
  const number = await api.post(withId, "/api/v1/phone-numbers", { phoneNumber });
  return { assistantId: assistant.id, phoneNumberId: number.id };
}

/** Number of the contact with this index (0 to 9,999). */
type NumberOf = (index: number) => string;
/** Answer and talk by the seed's shares. */
const talking: NumberOf = (index) => `+1202${5_000_000 + index}`;
/** Answer and hang up at once (docs/api.md §9). */
const hangingUp: NumberOf = (index) => `+1500556${String(index).padStart(4, "0")}`;

/** All different; 150 bytes of custom data each. */
export function contacts(count: number, numberOf = talking): object[] {
  return Array.from({ length: count }, (_, index) => ({
    phoneNumber: numberOf(index),
    name: `Contact ${index}`,
    customData: {
      product: "Annual inspection",
      amount: "120.00",
      due_date: "2026-12-24",
      reference: `R-${index}`,
    },
  }));
}

export function campaignBody(given: References, count: number): object {
  return {
    name: `Bench of ${count}`,
    ...given,
    contacts: contacts(count),
    maxConcurrentCalls: 1_000,
    maxCallsPerSecond: 100_000,
    maxRetries: 1,
    retryIntervalMins: 1,
    specialInstructions: "The product is {{product}}, {{amount}} is due on {{due_date}}.",
  };
}

/** Calls that only use the line: nobody talks. */
export function lineOnlyBody(given: References, count: number): object {
  return { ...campaignBody(given, count), contacts: contacts(count, hangingUp) };
}

export async function createCampaign(
  { api }: Pick<BenchService, "api">,
  given: References,
  count: number,
  bodyOf = campaignBody,
): Promise<string> {
  const { campaign, statistics } = await api.post(campaignAnswer, "/api/v1/campaigns", bodyOf(given, count));
  if (statistics.totalContacts !== count)
    throw new Error(`${statistics.totalContacts} of ${count} contacts were taken`);
  return campaign.id;
}
