import { setTimeout as wait } from "node:timers/promises";
import { anything, campaignAnswer } from "./bench-api.ts";
import type { BenchReceiver } from "./bench-receiver.ts";
import type { BenchService } from "./bench-service.ts";
import { createCampaign, type References } from "./campaign-set-up.ts";
import { processorSeconds } from "./processor-time.ts";

/** Results of a campaign: whole calls, from the start to the last verified call.ended. */
export type CampaignFigures = {
  readonly calls: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  /** Of the service and its database together. */
  readonly processorMsPerCall: number;
  readonly events: number;
};

const LOOK_EVERY_MILLIS = 50;

/**
 * Starts the campaigns together and waits until the receiver has verified the end of every call. Throws when
 * the counts do not match.
 */
export async function runCampaigns(
  service: BenchService,
  receiver: BenchReceiver,
  given: References,
  campaigns: number,
  contactsEach: number,
): Promise<CampaignFigures> {
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index += 1)
    ids.push(await createCampaign(service, given, contactsEach));
  await receiver.reset();
  const before = await logCounts(service);
  const began = performance.now();
  const processorBefore = processorSeconds(service.pid);
  await Promise.all(ids.map((id) => service.api.post(anything, `/api/v1/campaigns/${id}/start`)));
  for (const id of ids) await untilCompleted(service, id);
  const made = madeSince(before, await logCounts(service));
  await untilArrived(receiver, made.webhooks);
  const seconds = (performance.now() - began) / 1_000;
  const processor = processorSeconds(service.pid) - processorBefore;
  return {
    calls: made.calls,
    seconds,
    callsPerSecond: made.calls / seconds,
    processorMsPerCall: (processor * 1_000) / made.calls,
    events: made.events,
  };
}

async function untilCompleted({ api }: BenchService, id: string): Promise<void> {
  for (;;) {
    const { campaign } = await api.get(campaignAnswer, `/api/v1/campaigns/${id}`);
    if (campaign.status === "COMPLETED") return;
    if (campaign.status !== "RUNNING") throw new Error(`campaign ${id} is ${campaign.status}`);
    await wait(LOOK_EVERY_MILLIS);
  }
}

export type LogCounts = { readonly events: number; readonly answered: number; readonly ended: number };

/** From the log itself. */
export async function logCounts({ pool }: Pick<BenchService, "pool">): Promise<LogCounts> {
  const { rows } = await pool.query<LogCounts>(`select count(*)::int as events,
    count(*) filter (where type = 'CallConnected')::int as answered,
    count(*) filter (where type in ('CallCompleted', 'CallFailed'))::int as ended from log.events`);
  return rows[0] ?? { events: 0, answered: 0, ended: 0 };
}

/** One call.started for each answered call, one call.ended for each call. */
export function madeSince(
  before: LogCounts,
  now: LogCounts,
): { readonly calls: number; readonly webhooks: number; readonly events: number } {
  const calls = now.ended - before.ended;
  return { calls, webhooks: calls + now.answered - before.answered, events: now.events - before.events };
}

/** Waits for so many different webhooks; throws when one was refused, or more came. */
export async function untilArrived(receiver: BenchReceiver, webhooks: number): Promise<void> {
  while ((await receiver.received()).different < webhooks) await wait(LOOK_EVERY_MILLIS);
  const { refused, different } = await receiver.received();
  if (refused > 0 || different !== webhooks)
    throw new Error(`${different} of ${webhooks} webhooks verified, ${refused} refused`);
}
