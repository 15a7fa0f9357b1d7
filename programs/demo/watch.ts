import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "../../client/api.ts";
import { answered } from "./api.ts";
import { progressDisplay } from "./progress.ts";
import type { Receiver } from "./receiver.ts";
import type { DemoCampaign } from "./set-up.ts";

export type CampaignAnswer = Awaited<ReturnType<typeof campaignOf>>;
const campaignOf = (client: Client, id: string) => answered(client.campaigns.getCampaign(id));

const LOOK_EVERY_MILLIS = 250;
/** The last webhooks may take a moment to arrive. */
const WEBHOOKS_MAY_TAKE_MILLIS = 60_000;

/**
 * Shows the campaign until it has completed and all of its webhooks have arrived; returns its final state.
 * Rejects with the reason of `stop`.
 */
export async function watchCampaign(
  client: Client,
  receiver: Receiver,
  { campaign: { id }, statistics: { totalContacts: total } }: DemoCampaign,
  stop: AbortSignal,
): Promise<CampaignAnswer> {
  const display = progressDisplay(total);
  const started = performance.now();
  try {
    let seen = await campaignOf(client, id);
    while (seen.campaign.status === "RUNNING") {
      await wait(LOOK_EVERY_MILLIS, null, { signal: stop });
      seen = await campaignOf(client, id);
      const { successfulCalls, failedCalls, waitingRetry } = seen.statistics;
      const seconds = (performance.now() - started) / 1_000;
      display.show({
        total,
        succeeded: successfulCalls,
        failed: failedCalls,
        active: seen.campaign.activeCalls,
        retrying: waitingRetry,
        callsPerSecond: Math.round(receiver.endedCalls.size / seconds),
      });
    }
    await untilAllToldTheirEnd(receiver, total, stop);
    return seen;
  } finally {
    display.end();
  }
}

async function untilAllToldTheirEnd(receiver: Receiver, contacts: number, stop: AbortSignal): Promise<void> {
  const until = performance.now() + WEBHOOKS_MAY_TAKE_MILLIS;
  const finals = () =>
    [...receiver.endedCalls.values()].filter(({ isFinalAttempt }) => isFinalAttempt).length;
  while (performance.now() < until && finals() < contacts)
    await wait(LOOK_EVERY_MILLIS, null, { signal: stop });
}
