import type { DrillClient } from "./drill-client.ts";
import type { DrillWorld } from "./drill-world.ts";
import {
  account,
  type Call,
  type Campaign,
  type Contact,
  call,
  campaignAnswer,
  contact,
  type HistoryEvent,
  historyEvent,
  type JournalEntry,
  type LedgerEntry,
  ledgerEntry,
  limits,
  type ReceivedRequest,
} from "./shapes.ts";

/** What a drill began with. */
export type DrillStart = { readonly balance: number; readonly webhookSecret: string };

/** The records of the outside world, and the service's answers. */
export type DrillEvidence = {
  readonly start: DrillStart;
  readonly journal: readonly JournalEntry[];
  readonly received: readonly ReceivedRequest[];
  readonly events: readonly HistoryEvent[];
  readonly calls: readonly Call[];
  /** null in drills of a single call. */
  readonly campaign: Campaign | null;
  readonly contacts: readonly Contact[];
  /** Broken rules in the campaign's recorded history, found by the verifier of `npm run replay`. */
  readonly brokenRules: readonly string[];
  readonly balance: number;
  readonly reserved: number;
  readonly activeCalls: number;
  readonly ledger: readonly LedgerEntry[];
};

export async function gatherEvidence(
  world: DrillWorld,
  start: DrillStart,
  campaignId: string | null,
): Promise<DrillEvidence> {
  const { client } = world;
  const { balance, reserved } = await client.get(account, "/api/v1/account");
  const { activeCalls } = await client.get(limits, "/api/v1/limits");
  return {
    start,
    journal: await world.journal(),
    received: await world.received(),
    events: await client.all(historyEvent, "/api/v1/events", "after"),
    calls: await client.all(call, "/api/v1/calls"),
    ...(await campaignEvidence(client, campaignId)),
    brokenRules: campaignId === null ? [] : await world.audit(campaignId),
    balance,
    reserved,
    activeCalls,
    ledger: await client.all(ledgerEntry, "/api/v1/account/ledger"),
  };
}

async function campaignEvidence(
  client: DrillClient,
  campaignId: string | null,
): Promise<Pick<DrillEvidence, "campaign" | "contacts">> {
  if (campaignId === null) return { campaign: null, contacts: [] };
  const path = `/api/v1/campaigns/${campaignId}`;
  const { campaign } = await client.get(campaignAnswer, path);
  return { campaign, contacts: await client.all(contact, `${path}/contacts`) };
}
