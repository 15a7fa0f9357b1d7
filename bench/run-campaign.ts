import { setTimeout as wait } from "node:timers/promises";
import { inTransaction } from "../infrastructure/postgres/transaction.ts";
import { anything, campaignAnswer } from "./bench-api.ts";
import type { BenchReceiver } from "./bench-receiver.ts";
import type { BenchService } from "./bench-service.ts";
import { campaignBody, createCampaign, type References } from "./campaign-set-up.ts";
import { processorSeconds } from "./processor-time.ts";

/** What a campaign took from its start up to some moment. */
export type Spent = {
  readonly seconds: number;
  readonly callsPerSecond: number;
  /** Of the service and its database together. */
  readonly processorMsPerCall: number;
};

/** Results of campaigns that ran together: whole calls, from the start on. */
export type CampaignFigures = {
  readonly calls: number;
  readonly events: number;
  /** Up to the last verified webhook, as it was measured up to 54038994: what comes after it is left out. */
  readonly untilLastWebhook: Spent;
  /** Up to when nothing is left to do. */
  readonly untilIdle: Spent;
};

const LOOK_EVERY_MILLIS = 50;

/**
 * Starts the campaigns together and waits until the receiver has verified the end of every call, and then
 * until the service has nothing left to do. Throws when the counts do not match.
 */
export async function runCampaigns(
  service: BenchService,
  receiver: BenchReceiver,
  given: References,
  campaigns: number,
  contactsEach: number,
  bodyOf = campaignBody,
): Promise<CampaignFigures> {
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index += 1)
    ids.push(await createCampaign(service, given, contactsEach, bodyOf));
  await receiver.reset();
  await untilIdle(service);
  const end = await logEnd(service);
  const spent = meter(service.pid);
  await Promise.all(ids.map((id) => service.api.post(anything, `/api/v1/campaigns/${id}/start`)));
  for (const id of ids) await untilCompleted(service, id);
  const made = await madeSince(service, end);
  await untilArrived(receiver, made.webhooks);
  const untilLastWebhook = spent(made.calls);
  await untilIdle(service);
  return { calls: made.calls, events: made.events, untilLastWebhook, untilIdle: spent(made.calls) };
}

function meter(pid: number): (calls: number) => Spent {
  const began = performance.now();
  const before = processorSeconds(pid);
  return (calls) => {
    const seconds = (performance.now() - began) / 1_000;
    const processor = processorSeconds(pid) - before;
    return { seconds, callsPerSecond: calls / seconds, processorMsPerCall: (processor * 1_000) / calls };
  };
}

/**
 * Nothing is left to do: every follower of the log has seen all of it, no call is live, no webhook waits to
 * be queued or delivered, no recording to be copied or deleted at its carrier.
 */
export async function untilIdle({ pool }: Pick<BenchService, "pool">): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ idle: boolean }>(IDLE);
    if (rows[0]?.idle === true) return;
    await wait(LOOK_EVERY_MILLIS);
  }
}

const IDLE = `
with log as (select coalesce(max(position), 0) as position from log.events)
select not exists (select from read.checkpoints c, log where c.position::bigint < log.position)
  and not exists (select from work.checkpoints c, log where c.position::bigint < log.position)
  and not exists (select from work.call_slots where closed_at is null)
  and not exists (select from work.pending_ends)
  and not exists (select from work.analyses)
  and not exists (select from work.webhook_deliveries where status in ('pending', 'sending', 'retrying'))
  and not exists (select from work.recordings where due_at is not null) as idle`;

async function untilCompleted({ api }: BenchService, id: string): Promise<void> {
  for (;;) {
    const { campaign } = await api.get(campaignAnswer, `/api/v1/campaigns/${id}`);
    if (campaign.status === "COMPLETED") return;
    if (campaign.status !== "RUNNING") throw new Error(`campaign ${id} is ${campaign.status}`);
    await wait(LOOK_EVERY_MILLIS);
  }
}

/** Position of the last event. */
export async function logEnd({ pool }: Pick<BenchService, "pool">): Promise<string> {
  const { rows } = await pool.query<{ end: string }>(
    "select coalesce(max(position), 0)::text as end from log.events",
  );
  return rows[0]?.end ?? "0";
}

/**
 * What the log got after that position: one call.started for each answered call, one call.ended for each
 * call. By a bitmap of the index of positions: the whole log may be large, and `starved` counts plain reads
 * by that index.
 */
export async function madeSince(
  { pool }: Pick<BenchService, "pool">,
  end: string,
): Promise<{ readonly calls: number; readonly webhooks: number; readonly events: number }> {
  const { rows } = await inTransaction(
    pool,
    (client) =>
      client.query<{ events: number; answered: number; ended: number }>(
        `select count(*)::int as events,
           count(*) filter (where type = 'CallConnected')::int as answered,
           count(*) filter (where type in ('CallCompleted', 'CallFailed'))::int as ended
         from log.events where position > $1`,
        [end],
      ),
    "begin; set local enable_seqscan = off; set local enable_indexscan = off",
  );
  const { events, answered, ended } = rows[0] ?? { events: 0, answered: 0, ended: 0 };
  return { calls: ended, webhooks: ended + answered, events };
}

/** Waits for so many different webhooks; throws when one was refused, or more came. */
export async function untilArrived(receiver: BenchReceiver, webhooks: number): Promise<void> {
  while ((await receiver.received()).different < webhooks) await wait(LOOK_EVERY_MILLIS);
  const { refused, different } = await receiver.received();
  if (refused > 0 || different !== webhooks)
    throw new Error(`${different} of ${webhooks} webhooks verified, ${refused} refused`);
}
