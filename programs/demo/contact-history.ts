import type { Client } from "../../client/api.ts";
import { paginate } from "../../client/pages.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import { type HistoryEvent, historyLine } from "./history-line.ts";

/** The most contacts that are searched for the best story. */
const LOOKED_AT = 40;

/**
 * The whole history of one contact who was reached; if possible one whose conversation used a tool
 * and was handed over.
 */
export async function contactHistoryLines(
  client: Client,
  campaignId: string,
  contacts: readonly ContactRecord[],
): Promise<string[]> {
  const example = await bestExample(client, contacts);
  if (example === null) return [];
  const { contact, ofCalls } = example;
  const ofCampaign = await Array.fromAsync(
    paginate((page) => client.campaigns.listCampaignEvents(campaignId, page)),
  );
  const events = [...ofCampaign.filter(({ data }) => data["contactId"] === contact.id), ...ofCalls];
  const inOrder = events.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt));
  return [
    "",
    `The history of ${contact.name ?? contact.id}, as the log tells it (UTC):`,
    ...inOrder.map(historyLine),
  ];
}

type Example = { readonly contact: ContactRecord; readonly ofCalls: readonly HistoryEvent[] };

async function bestExample(client: Client, contacts: readonly ContactRecord[]): Promise<Example | null> {
  let best: { readonly example: Example; readonly worth: number } | null = null;
  const reached = contacts.filter(({ status }) => status === "succeeded");
  for (const contact of reached.slice(0, LOOKED_AT)) {
    const ofCalls = await eventsOfCalls(client, contact);
    const worth = worthOf(contact, ofCalls);
    if (best === null || worth > best.worth) best = { example: { contact, ofCalls }, worth };
    if (worth === MOST) break;
  }
  return best?.example ?? null;
}

const MOST = 7;

function worthOf({ attempts }: ContactRecord, events: readonly HistoryEvent[]): number {
  const hasTool = events.some(({ type, data }) => type === "CallToolBegan" && data["toolId"] !== null);
  const isHandedOver = events.some(({ type }) => type === "CallHandedOver");
  return (hasTool ? 4 : 0) + (isHandedOver ? 2 : 0) + (attempts.length > 1 ? 1 : 0);
}

async function eventsOfCalls(client: Client, { attempts }: ContactRecord): Promise<readonly HistoryEvent[]> {
  const ofCalls = await Promise.all(
    attempts.map(({ callId }) =>
      Array.fromAsync(paginate((page) => client.calls.listCallEvents(callId, page))),
    ),
  );
  return ofCalls.flat();
}
