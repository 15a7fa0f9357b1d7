import type { Api } from "./api.ts";
import type { ContactList } from "./contact-list.ts";
import type { Receiver } from "./receiver.ts";
import { account, anything, type ImportAnswer, importAnswer, secret, withId } from "./shapes.ts";

export type DemoCampaign = ImportAnswer & { readonly creditsBefore: number };

/** Everything that a company sets up before its first campaign, and the campaign itself, from the CSV file. */
export async function setUp(api: Api, receiver: Receiver, list: ContactList): Promise<DemoCampaign> {
  const creditsBefore = await raisePlanAndCredits(api, list.rows);
  const assistant = await api.post(withId, "/api/v1/assistants", {
    name: "Reminder",
    greetingMessage: "Hello {{name}}, this is Ringfold with a short reminder.",
    systemPrompt: "You remind people of what is due, kindly and briefly.",
  });
  await api.post(anything, `/api/v1/assistants/${assistant.id}/publish`);
  const phoneNumber = await api.post(withId, "/api/v1/phone-numbers", {
    phoneNumber: "+15005550100",
    label: "Demo",
  });
  await api.put(anything, "/api/v1/webhook", { url: receiver.url, enabled: true });
  receiver.trust((await api.post(secret, "/api/v1/webhook/secret")).secret);
  const settings = {
    name: `Demo of ${list.rows} contacts`,
    assistantId: assistant.id,
    phoneNumberId: phoneNumber.id,
    specialInstructions: "The product is {{product}}, {{amount}} is due on {{due_date}}.",
    maxRetries: 2,
    retryIntervalMins: 2,
  };
  const query = encodeURIComponent(JSON.stringify(settings));
  const created = await api.upload(
    importAnswer,
    `/api/v1/campaigns/import?settings=${query}`,
    "text/csv",
    list.csv,
  );
  return { ...created, creditsBefore };
}

/** More calls at once and more credits than a new owner has; answers the balance. */
async function raisePlanAndCredits(api: Api, contacts: number): Promise<number> {
  const { id } = await api.get(account, "/api/v1/account");
  const plan = {
    maxConcurrentCalls: Math.max(50, Math.ceil(contacts / 4)),
    maxCallsPerSecond: Math.max(50, Math.ceil(contacts / 4)),
  };
  await api.patch(anything, `/api/v1/users/${id}`, { plan });
  const topUp = { amount: contacts * 10, reference: `demo-${Date.now()}` };
  return (await api.post(account, "/api/v1/account/credits", topUp)).balance;
}
