import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { EventOrigin } from "../../append-events.ts";
import type { CampaignCommandQueue } from "../../ports/campaign-commands.ts";
import { campaignStream } from "../../stream-names.ts";
import type { Outcome } from "../../use-cases/outcome.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import { type CampaignIntent, readAnswer, readIntent, writeAnswer, writeIntent } from "./campaign-intent.ts";
import { executeIntent, noSuchCampaign } from "./execute-intent.ts";
import { followFeed } from "./follow-feed.ts";
import { createOwnedCampaigns, LEASE_PREFIX, type OwnedCampaigns } from "./owned-campaigns.ts";
import type { RunnerDeps } from "./runner-deps.ts";

const ABANDONED_AT_ONCE = 100;
/** How long a user's command waits for the process that holds the lease, before this one tries to take it. */
const ANSWER_MILLIS = 5_000;
const ANSWER_TRIES = 6;

export type CampaignRunners = {
  /** Runs abandoned and started campaigns until `stop` aborts, when this process keeps campaigns at all. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** Carries a user's wish out where the campaign's lease is; rejects when nobody answers. */
  readonly execute: (
    campaignId: CampaignId,
    intent: CampaignIntent,
    origin: EventOrigin,
  ) => Promise<Outcome<null>>;
};

/** `keeps` false (ROLE=api): a campaign is held for a command only, then left to a worker. */
export function createCampaignRunners(deps: RunnerDeps, keeps: boolean): CampaignRunners {
  const owned = createOwnedCampaigns(deps);
  const following = Promise.withResolvers<void>();

  const executeHere = async (campaignId: CampaignId, intent: CampaignIntent, origin: EventOrigin) => {
    await following.promise;
    const campaign = await owned.adopt(campaignId);
    if (campaign === null) return null;
    const answer = await executeIntent(deps, campaign, intent, origin);
    if (!keeps) await owned.abandon([campaignId]);
    else if (campaign.isOver()) await owned.adopt(campaignId);
    return answer;
  };

  return {
    run: (stop) => runAll(deps, owned, keeps, stop, following.resolve, executeHere),
    execute: async (campaignId, intent, origin) => {
      const owner = await deps.aggregates.campaigns.query(
        campaignStream(campaignId),
        (state) => state.owner,
        { fresh: owned.get(campaignId) === undefined },
      );
      if (owner === null || owner !== origin.owner) return noSuchCampaign();
      const row = { id: deps.ids.uuid(), campaignId, owner, payload: writeIntent(intent, origin) };
      for (let tries = 0; tries < ANSWER_TRIES; tries += 1) {
        const here = await executeHere(campaignId, intent, origin);
        if (here !== null) return here;
        if (tries === 0) await deps.commandQueue.enqueue(row);
        const there = await answerFromThere(deps.commandQueue, row.id);
        if (there !== null) return there;
      }
      throw new Error(`no process answered for campaign ${campaignId}`);
    },
  };
}

type ExecuteHere = (
  campaignId: CampaignId,
  intent: CampaignIntent,
  origin: EventOrigin,
) => Promise<Outcome<null> | null>;

/** null: nobody answered in time. The row stays, and is answered once. */
async function answerFromThere(
  commandQueue: CampaignCommandQueue,
  id: string,
): Promise<Outcome<null> | null> {
  const answer = await commandQueue.awaitAnswer(id, ANSWER_MILLIS);
  return answer === null ? null : readAnswer(answer);
}

async function runAll(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  keeps: boolean,
  stop: AbortSignal,
  following: () => void,
  executeHere: ExecuteHere,
): Promise<void> {
  const search = createWakeSignal(deps.clock, stop);
  const answer = (campaignIds: readonly CampaignId[]) => answerWaiting(deps, campaignIds, executeHere);
  const unsubscribe = listen(deps, owned, answer);
  const loops = [
    followFeed(deps, owned, stop, following, search.wake),
    keepLeases(deps, owned, stop, answer),
  ];
  if (keeps) loops.push(adoptAbandoned(deps, owned, stop, search.wait));
  await Promise.all(loops);
  unsubscribe();
  await owned.abandon(owned.all().map(({ campaignId }) => campaignId));
}

/** What may let campaigns of this process go on, told by others. */
function listen(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  answer: (campaignIds: readonly CampaignId[]) => Promise<void>,
): () => void {
  const wakeAll = () => {
    for (const campaign of owned.all()) campaign.wake();
  };
  const unsubscribes = [
    deps.admission.onWake(({ campaignId }) => owned.get(campaignId)?.wake()),
    deps.carrierHealth.onChange(wakeAll),
    deps.directory.onChange((owner) => {
      for (const campaign of owned.all()) if (campaign.owner === owner) campaign.wake();
    }),
    deps.commandQueue.onEnqueued((campaignId) => {
      if (owned.get(campaignId) !== undefined) void answer([campaignId]);
    }),
  ];
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

async function adoptAbandoned(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  stop: AbortSignal,
  wait: (millis: number) => Promise<void>,
): Promise<void> {
  // The first look takes up what this process held before it was started again.
  let formerHolder: string | undefined = deps.settings.processId;
  while (!stop.aborted) {
    try {
      for (const name of await deps.leases.abandoned(LEASE_PREFIX, ABANDONED_AT_ONCE, formerHolder)) {
        await owned.adopt(campaignOf(name));
      }
      formerHolder = undefined;
    } catch (error) {
      deps.logger.error({ error }, "abandoned campaigns not taken over; tries again");
    }
    await wait(deps.settings.leaseMillis / 2);
  }
}

function campaignOf(leaseName: string): CampaignId {
  return `cmp_${leaseName.slice(LEASE_PREFIX.length + "cmp_".length)}`;
}

async function keepLeases(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  stop: AbortSignal,
  answer: (campaignIds: readonly CampaignId[]) => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    await deps.clock.sleep(deps.settings.leaseMillis / 3, stop);
    if (stop.aborted) return;
    try {
      await owned.renew();
      await answer(owned.all().map(({ campaignId }) => campaignId));
    } catch (error) {
      deps.logger.error({ error }, "leases not renewed; tries again");
    }
  }
}

/** Answers what users of other processes want of campaigns that are owned here. */
async function answerWaiting(
  deps: RunnerDeps,
  campaignIds: readonly CampaignId[],
  executeHere: ExecuteHere,
): Promise<void> {
  if (campaignIds.length === 0) return;
  try {
    for (const command of await deps.commandQueue.waiting(campaignIds)) {
      const read = readIntent(command.payload);
      if (read === null) continue;
      const answer = await executeHere(command.campaignId, read.intent, read.origin);
      if (answer !== null) await deps.commandQueue.answer(command.id, writeAnswer(answer));
    }
  } catch (error) {
    deps.logger.error({ error }, "waiting commands not answered; tries again");
  }
}
