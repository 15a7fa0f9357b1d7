import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "../../client/api.ts";
import { createClient } from "../../client/client.ts";
import { paginate } from "../../client/pages.ts";
import type { CallRecord } from "../../contract/call.ts";
import type { CampaignRecord, CampaignStatisticsRecord } from "../../contract/campaign.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { SuppressionHistoryRecord } from "../../contract/suppression.ts";
import { answered } from "./api.ts";
import type { RunningService } from "./service.ts";

/** Callees with a fixed behaviour, and some of the demo's seed who talk (docs/api-by-example.md). */
const NEVER_AGAIN = { phoneNumber: "+15005550013", name: "Deniz" };
const ALWAYS_YES = { phoneNumber: "+15005550016", name: "Ada" };
const CALL_LATER = { phoneNumber: "+15005550014", name: "Selin" };
const DECLINES = { phoneNumber: "+15005550004", name: "Omar" };
const TALK = [
  { phoneNumber: "+14155550101", name: "Grace" },
  { phoneNumber: "+14155550103", name: "Emre" },
  { phoneNumber: "+14155550105", name: "Yuki" },
  { phoneNumber: "+14155550106", name: "Chloé" },
  { phoneNumber: "+14155550107", name: "Samuel" },
];

/** What its calls are read for after their end. */
export const ASKED_FOR = {
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean" as const, description: "Whether the appointment is kept" },
    {
      name: "instead",
      type: "enum" as const,
      description: "What they want in place of the appointment",
      values: ["another time", "another day", "cancel it"],
    },
  ],
  success: { field: "confirmed", in: [true] },
};

const LOOK_EVERY_MILLIS = 250;
/** The last analysis may take a moment, and so may a promise. */
const MAY_TAKE_MILLIS = 60_000;

/** A campaign that is over. */
type Ran = {
  readonly campaign: CampaignRecord;
  readonly statistics: CampaignStatisticsRecord;
  readonly contacts: readonly ContactRecord[];
  readonly calls: readonly CallRecord[];
};

/** What was promised to somebody who asked to be called later. Their campaign waits for that call. */
type Promised = Pick<Ran, "contacts" | "statistics" | "calls">;

/** A second customer of the service, with an owner of its own and three campaigns. */
export type Clinic = {
  readonly client: Client;
  readonly apiKey: string;
  readonly reminders: Ran;
  readonly invitations: Ran;
  /** Seen while it goes on. */
  readonly promised: Promised;
  /** Of each who asked on a call never to be called again, what the do-not-call list says. */
  readonly suppressions: readonly SuppressionHistoryRecord[];
};

/** Runs beside the large campaign. Rejects with the reason of `stop`. */
export async function runClinic(
  operator: Client,
  { url }: RunningService,
  stop: AbortSignal,
): Promise<Clinic> {
  const owner = { name: "Riverside Clinic", plan: { maxConcurrentCalls: 10 }, credits: 100 };
  const { apiKey: first } = await answered(operator.users.createUser(owner));
  const apiKey = first.key ?? "";
  const client = createClient({ baseUrl: url, apiKey, retries: 0 });
  const assistant = await answered(
    client.assistants.createAssistant({
      name: "Clinic",
      greetingMessage: "Hello {{name}}, this is the Riverside Clinic. Will you come to your appointment?",
      systemPrompt: "You remind people of their appointment, kindly and briefly.",
      outcome: ASKED_FOR,
      callback: {},
    }),
  );
  await answered(client.assistants.publishAssistant(assistant.id));
  const number = { phoneNumber: "+15005550101", label: "Clinic" };
  const phoneNumberId = (await answered(client.phoneNumbers.createPhoneNumber(number))).id;
  const start = async (name: string, contacts: readonly (typeof ALWAYS_YES)[]) => {
    const settings = { name, assistantId: assistant.id, phoneNumberId, retryOn: [], contacts: [...contacts] };
    const { campaign } = await answered(client.campaigns.createCampaign(settings));
    await answered(client.campaigns.startCampaign(campaign.id));
    return campaign.id;
  };
  const run = async (...campaign: Parameters<typeof start>) => ended(client, await start(...campaign), stop);
  const later = await start("Results of the clinic", [CALL_LATER]);
  const reminders = await run("Reminders of the clinic", [ALWAYS_YES, ...TALK, NEVER_AGAIN, DECLINES]);
  const invitations = await run("Invitation to the open day", [ALWAYS_YES, NEVER_AGAIN]);
  const promised = await promisedIn(client, later, stop);
  const asked = reminders.contacts.filter(({ optedOut }) => optedOut);
  const suppressions = await Promise.all(
    asked.map(({ phoneNumber }) => answered(client.suppressions.getSuppression(phoneNumber))),
  );
  return { client, apiKey, reminders, invitations, promised, suppressions };
}

/** Waits for the promise, not for the call that was promised. */
async function promisedIn(client: Client, id: string, stop: AbortSignal): Promise<Promised> {
  const until = performance.now() + MAY_TAKE_MILLIS;
  let contacts = await contactsOf(client, id);
  for (; contacts.some(isUnheard) && performance.now() < until; contacts = await contactsOf(client, id))
    await wait(LOOK_EVERY_MILLIS, null, { signal: stop });
  return { contacts, statistics: await statisticsOf(client, id), calls: await callsOf(client, id) };
}

const isUnheard = ({ attempts: [first] }: ContactRecord) => first === undefined || first.endedAt === null;

/** Waits until all calls are over and read. */
async function ended(client: Client, id: string, stop: AbortSignal): Promise<Ran> {
  const look = () => wait(LOOK_EVERY_MILLIS, null, { signal: stop });
  const campaignOf = async () => (await answered(client.campaigns.getCampaign(id))).campaign;
  let campaign = await campaignOf();
  for (; campaign.status === "RUNNING"; campaign = await campaignOf()) await look();
  const until = performance.now() + MAY_TAKE_MILLIS;
  let calls = await callsOf(client, id);
  for (; calls.some(isUnread) && performance.now() < until; calls = await callsOf(client, id)) await look();
  const contacts = await contactsOf(client, id);
  return { campaign, contacts, calls, statistics: await statisticsOf(client, id) };
}

const contactsOf = (client: Client, id: string): Promise<ContactRecord[]> =>
  Array.fromAsync(paginate((page) => client.campaigns.listContacts(id, page)));
const statisticsOf = (client: Client, id: string) => answered(client.campaigns.getCampaignStatistics(id));

async function callsOf(client: Client, campaignId: string): Promise<CallRecord[]> {
  const listed = await Array.fromAsync(paginate((page) => client.calls.listCalls({ ...page, campaignId })));
  return Promise.all(listed.map(({ callId }) => answered(client.calls.getCall(callId))));
}

/** A person said something, and it is not known yet what that brings home. */
function isUnread({ messages, outcome }: CallRecord): boolean {
  return messages.some(({ role }) => role === "customer") && outcome.status !== "ready";
}
