import type { Client } from "../../client/api.ts";
import type { DataOf } from "../../contract/asking.ts";
import type { Routes } from "../../contract/routes.ts";
import { answered } from "./api.ts";
import type { ContactList } from "./contact-list.ts";
import type { Receiver } from "./receiver.ts";
import { makeSquad } from "./squad.ts";

type Imported = Extract<DataOf<Routes["importCampaign"]>, { readonly campaign: unknown }>;
export type DemoCampaign = Imported & { readonly creditsBefore: number };

/**
 * Everything that a company sets up before its first campaign, and the campaign itself, from the CSV file.
 */
export async function setUp(
  client: Client,
  receiver: Receiver,
  list: ContactList,
  invoicesUrl: string,
): Promise<DemoCampaign> {
  const creditsBefore = await raisePlanAndCredits(client, list.rows);
  const { assistantId, squadId } = await makeSquad(client, invoicesUrl);
  const phoneNumber = await answered(
    client.phoneNumbers.createPhoneNumber({ phoneNumber: "+15005550100", label: "Demo" }),
  );
  await answered(client.webhooks.putWebhook({ url: receiver.url, enabled: true }));
  receiver.trust((await answered(client.webhooks.showWebhookSecret())).secret);
  const settings = {
    name: `Appointment reminders to ${list.rows} people`,
    assistantId,
    squadId,
    phoneNumberId: phoneNumber.id,
    specialInstructions: "The appointment is on {{due_date}}; {{amount}} is open on the account.",
    maxRetries: 2,
    retryIntervalMins: 2,
  };
  const file = new File([list.csv], "contacts.csv", { type: "text/csv" });
  const form = { file, settings: JSON.stringify(settings) };
  const { data } = (await client.campaigns.importCampaign(form)).data;
  if (!("campaign" in data)) throw new Error("The import answered with the report of a dry run");
  return { ...data, creditsBefore };
}

/** More concurrent calls and credits than a new owner has; returns the balance. */
async function raisePlanAndCredits(client: Client, contacts: number): Promise<number> {
  const { id } = await answered(client.account.getAccount());
  const most = Math.max(50, Math.ceil(contacts / 4));
  await answered(
    client.users.changeUser(id, { plan: { maxConcurrentCalls: most, maxCallsPerSecond: most } }),
  );
  const topUp = { amount: contacts * 10, reference: `demo-${Date.now()}` };
  return (await answered(client.account.topUp(topUp))).balance;
}
