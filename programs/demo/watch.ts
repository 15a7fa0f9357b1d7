import { setTimeout as wait } from "node:timers/promises";
import { Presets, SingleBar } from "cli-progress";
import type { Client } from "../../client/api.ts";
import { restoreTerminalAtExit } from "../terminal.ts";
import { answered } from "./api.ts";
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
  try {
    let seen = await campaignOf(client, id);
    while (seen.campaign.status === "RUNNING") {
      await wait(LOOK_EVERY_MILLIS, null, { signal: stop });
      seen = await campaignOf(client, id);
      const { successfulCalls, failedCalls, waitingRetry } = seen.statistics;
      display.show({
        total,
        succeeded: successfulCalls,
        failed: failedCalls,
        active: seen.campaign.activeCalls,
        retrying: waitingRetry,
      });
    }
    await untilEveryEndCame(receiver, total, stop);
    return seen;
  } finally {
    display.end();
  }
}

async function untilEveryEndCame(receiver: Receiver, contacts: number, stop: AbortSignal): Promise<void> {
  const until = performance.now() + WEBHOOKS_MAY_TAKE_MILLIS;
  const finals = () =>
    [...receiver.endedCalls.values()].filter(({ isFinalAttempt }) => isFinalAttempt).length;
  while (performance.now() < until && finals() < contacts)
    await wait(LOOK_EVERY_MILLIS, null, { signal: stop });
}

type Progress = {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  readonly retrying: number;
};

/** A bar on a terminal; elsewhere (a CI log) a line every two seconds. */
type ProgressDisplay = { show(progress: Progress): void; end(): void };

/**
 * Within 80 columns for 10,000 contacts; longer lines are cut off, because a wrapped bar cannot be redrawn.
 */
const FORMAT =
  "{bar} {percentage}% | spoke with {succeeded}, missed {failed} | on the phone {active} | again {retrying}";
const BAR_COLUMNS = 8;

function progressDisplay(total: number): ProgressDisplay {
  const options = {
    format: FORMAT,
    hideCursor: true,
    clearOnComplete: false,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
    barsize: BAR_COLUMNS,
  };
  restoreTerminalAtExit();
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0, { succeeded: 0, failed: 0, active: 0, retrying: 0 });
  return {
    show: ({ succeeded, failed, ...rest }) => bar.update(succeeded + failed, { succeeded, failed, ...rest }),
    end: () => bar.stop(),
  };
}
