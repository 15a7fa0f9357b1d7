import { setTimeout as wait } from "node:timers/promises";
import { answered, type Client } from "./api.ts";
import { progressDisplay } from "./progress.ts";
import type { Receiver } from "./receiver.ts";

export type CampaignAnswer = Awaited<ReturnType<typeof campaignOf>>;
const campaignOf = (client: Client, id: string) => answered(client.campaigns.getCampaign(id));

const LOOK_EVERY_MS = 250;
/** What is sent last may take a moment to arrive. */
const WEBHOOKS_MAY_TAKE_MS = 60_000;

/** Shows the campaign until it has completed and every webhook of it is there; answers it as it ended. */
export async function watchCampaign(
  client: Client,
  receiver: Receiver,
  campaignId: string,
  total: number,
): Promise<CampaignAnswer> {
  const display = progressDisplay(total);
  const started = performance.now();
  let seen = await campaignOf(client, campaignId);
  while (seen.campaign.status === "RUNNING") {
    await wait(LOOK_EVERY_MS);
    seen = await campaignOf(client, campaignId);
    const calls = receiver.endedCalls.size;
    const seconds = (performance.now() - started) / 1_000;
    display.show({
      total,
      succeeded: seen.statistics.successfulCalls,
      failed: seen.statistics.failedCalls,
      active: seen.campaign.activeCalls,
      retrying: retrying(receiver),
      callsPerSecond: Math.round(calls / seconds),
    });
  }
  display.end();
  await untilAllToldTheirEnd(receiver, total);
  return seen;
}

/** Contacts whose last call was not their last attempt, as the webhooks tell it. */
function retrying(receiver: Receiver): number {
  const final = new Map<string, boolean>();
  for (const { contactId, isFinalAttempt } of receiver.endedCalls.values()) {
    if (contactId !== null) final.set(contactId, isFinalAttempt || final.get(contactId) === true);
  }
  return [...final.values()].filter((isFinal) => !isFinal).length;
}

async function untilAllToldTheirEnd(receiver: Receiver, contacts: number): Promise<void> {
  const until = performance.now() + WEBHOOKS_MAY_TAKE_MS;
  const finals = () =>
    [...receiver.endedCalls.values()].filter(({ isFinalAttempt }) => isFinalAttempt).length;
  while (performance.now() < until && (finals() < contacts || retrying(receiver) > 0))
    await wait(LOOK_EVERY_MS);
}
