import type { DrillClient } from "./drill-client.ts";
import type { DrillStart } from "./drill-evidence.ts";
import type { CampaignPlan } from "./drill-plan.ts";
import { account, anything, campaignAnswer, secret, withId } from "./shapes.ts";

/** Records that calls need, made through the public API. */
export type DrillSetup = {
  readonly start: DrillStart;
  readonly assistantId: string;
  readonly phoneNumberId: string;
};

/** What assistants of a drill say. */
const REMINDER = {
  greetingMessage: "Hello {{name}}.",
  systemPrompt: "You remind people of what is due.",
  voicemailPolicy: "hang_up",
};

/** Makes and publishes an assistant, a reminder but for what is given; returns its id. */
export async function makeAssistant(
  client: DrillClient,
  given: { readonly name: string } & Readonly<Record<string, unknown>>,
  key?: string,
): Promise<string> {
  const { id } = await client.post(withId, "/api/v1/assistants", { ...REMINDER, ...given }, key);
  await client.post(anything, `/api/v1/assistants/${id}/publish`);
  return id;
}

export async function setUpDrill(client: DrillClient, receiverUrl: string): Promise<DrillSetup> {
  const assistantId = await makeAssistant(client, { name: "Reminder" }, "drill-assistant");
  const number = { phoneNumber: "+15005550199", label: "Drill" };
  const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", number, "drill-number");
  await client.put(anything, "/api/v1/webhook", { url: receiverUrl, enabled: true });
  const { secret: webhookSecret } = await client.post(secret, "/api/v1/webhook/secret");
  const { balance } = await client.get(account, "/api/v1/account");
  return { start: { balance, webhookSecret }, assistantId, phoneNumberId };
}

/** Settings of a campaign beside its list: a window in whole hours (none: always open), a squad, a pace. */
export type CampaignChoices = {
  readonly maxCallsPerSecond?: number;
  readonly squadId?: string;
  readonly callWindowStart?: number;
  readonly callWindowEnd?: number;
  readonly timezone?: string;
};

/** Creates the campaign of the plan and starts it; returns its id. */
export async function startCampaign(
  client: DrillClient,
  setup: DrillSetup,
  plan: CampaignPlan,
  choices: CampaignChoices = {},
  key = "drill-campaign",
): Promise<string> {
  const body = {
    name: "Drill",
    assistantId: setup.assistantId,
    phoneNumberId: setup.phoneNumberId,
    contacts: plan.contacts,
    specialInstructions: "{{amount}} is due.",
    maxConcurrentCalls: plan.maxConcurrentCalls,
    maxRetries: 1,
    retryIntervalMins: 1,
    ...choices,
  };
  const { campaign } = await client.post(campaignAnswer, "/api/v1/campaigns", body, key);
  await client.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
  return campaign.id;
}
