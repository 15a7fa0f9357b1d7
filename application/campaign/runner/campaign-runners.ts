import type { CampaignId } from "../../../domain/shared/ids.ts";
import { earliest, type Instant } from "../../../domain/shared/instant.ts";
import { createKnownOptOuts, type OptOutDeps } from "../../conversation/known-opt-outs.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import { type FollowerProgress, followerProgress, type ProcessorStatus } from "../../log/processor-status.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { Outcome } from "../../outcome.ts";
import { EventStoreError } from "../../ports/event-store.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { repeatUntilStopped } from "../../repeating.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import { answerFromThere, answerWaiting, type ExecuteHere } from "./answered-commands.ts";
import { createCallbackSettings } from "./callback-settings.ts";
import { executeCommand, noSuchCampaign } from "./execute-command.ts";
import { followFeed } from "./follow-feed.ts";
import { createOwnedCampaigns, LEASE_PREFIX, type OwnedCampaigns } from "./owned-campaigns.ts";
import { createEndedCalls, createHoldPace } from "./policy-holds.ts";
import { type QueuedCommand, writeAnswer, writeCommand } from "./queued-command.ts";
import { reportProgress } from "./report-progress.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { createStartLimit } from "./start-limit.ts";

const ABANDONED_AT_ONCE = 100;
/** With the default lease, campaigns of a dead process are taken over within 10 s. */
const LOOKS_PER_LEASE = 4;
/**
 * Long enough for the lease of a dead process to expire; with the last wait for an answer still before the
 * request is answered without one (`answeredInTime`), so that nothing is carried out after that.
 */
const ANSWER_TRIES_MILLIS = 18_000;
const ANSWER_TRIES_LEASES = 2;
/** A campaign started by another process is released there shortly after this process sees its start. */
const SEARCH_AGAIN_MILLIS = 500;

export type CampaignRunners = {
  /** Runs abandoned and started campaigns until `stop` aborts, if this process keeps campaigns at all. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /**
   * Executes a command in the process that holds the campaign's lease; rejects Unavailable when none answers.
   */
  readonly execute: (
    campaignId: CampaignId,
    command: QueuedCommand,
    origin: EventOrigin,
  ) => Promise<Outcome<null>>;
  /**
   * The campaign is about to be created and will start by itself: some process will run it,
   * even if this one dies.
   */
  readonly announce: (campaignId: CampaignId) => Promise<void>;
  /**
   * Since when the longest waiting contact of all campaigns run here could have been
   * called; null: none is due.
   */
  readonly oldestDueSince: () => Instant | null;
  /** Its progress on the feed. */
  readonly status: () => ProcessorStatus;
};

/** `keeps` false (ROLE=api): a campaign is held only for a command, then left to a worker. */
export function createCampaignRunners(
  given: Omit<RunnerDeps, "optOuts" | "callbackSettings" | "endedCalls" | "holdPace" | "startLimit"> &
    OptOutDeps,
  keeps: boolean,
): CampaignRunners {
  const deps: RunnerDeps = {
    ...given,
    optOuts: createKnownOptOuts(given),
    callbackSettings: createCallbackSettings(given.pinnedConversations),
    endedCalls: createEndedCalls(),
    holdPace: createHoldPace(given.clock),
    startLimit: createStartLimit(given.clock),
  };
  const owned = createOwnedCampaigns(deps, keeps);
  const following = Promise.withResolvers<void>();
  const progress = followerProgress(deps.clock, "campaign-runner");

  const executeHere = async (campaignId: CampaignId, command: QueuedCommand, origin: EventOrigin) => {
    await following.promise;
    return owned.whileHeld(campaignId, (campaign) => executeCommand(deps, campaign, command, origin));
  };

  return {
    run: (stop) => runAll(deps, owned, keeps, stop, following.resolve, executeHere, progress),
    announce: (campaignId) => owned.announce(campaignId),
    status: () => ({ ...progress.status(), parked: deps.givenUp.count("campaign-runner") }),
    oldestDueSince: () => earliest(owned.all().map((campaign) => campaign.oldestDueSince())),
    execute: async (campaignId, command, origin) => {
      const owner = await deps.aggregates.campaigns.query(
        campaignStream(campaignId),
        (state) => state.owner,
        { fresh: owned.get(campaignId) === undefined },
      );
      if (owner === null || owner !== origin.owner) return noSuchCampaign();
      const row = { id: deps.ids.uuid(), campaignId, owner, payload: writeCommand(command, origin) };
      const { clock, settings } = deps;
      const patience = Math.max(ANSWER_TRIES_MILLIS, ANSWER_TRIES_LEASES * settings.leaseMillis);
      const until = clock.monotonicMillis() + patience;
      let waiting = false;
      while (clock.monotonicMillis() < until) {
        const here = await executeHere(campaignId, command, origin);
        // It was done here, so a process that finds the row must not do it again.
        if (here !== null && waiting) await deps.commandQueue.answer(row.id, writeAnswer(here));
        if (here !== null) return here;
        if (!waiting) await deps.commandQueue.enqueue(row);
        waiting = true;
        const there = await answerFromThere(deps.commandQueue, row.id);
        if (there !== null) return there;
      }
      // The user got an error and may want something else by now, so the command is withdrawn. Commands that
      // stop calls stay in the queue.
      if (WITHDRAWN.has(command.type)) await deps.commandQueue.answer(row.id, {});
      throw new EventStoreError({ kind: "unavailable", cause: `no process answered for ${campaignId}` });
    },
  };
}

const WITHDRAWN: ReadonlySet<QueuedCommand["type"]> = new Set([
  "StartCampaign",
  "ResumeCampaign",
  "ChangeSettings",
  "DeleteCampaign",
]);

async function runAll(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  keeps: boolean,
  stop: AbortSignal,
  following: () => void,
  executeHere: ExecuteHere,
  progress: FollowerProgress,
): Promise<void> {
  const search = createWakeSignal(deps.clock, stop);
  const answer = (campaignIds: readonly CampaignId[]) => answerWaiting(deps, campaignIds, executeHere);
  const unsubscribe = listen(deps, owned, answer);
  const searchNowAndSoon = () => {
    search.wake();
    void deps.clock.sleep(SEARCH_AGAIN_MILLIS, stop).then(search.wake);
  };
  const loops = [
    followFeed(deps, owned, stop, following, searchNowAndSoon, progress),
    keepLeases(deps, owned, stop, answer),
  ];
  if (keeps) loops.push(adoptAbandoned(deps, owned, stop, search.wait, answer));
  if (keeps && deps.progress !== undefined)
    loops.push(reportProgress(deps, deps.progress, () => owned.all(), stop));
  await Promise.all(loops);
  unsubscribe();
  await owned.abandonAll();
}

/** Events from elsewhere that may let campaigns of this process go on. */
function listen(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  answer: (campaignIds: readonly CampaignId[]) => Promise<void>,
): () => void {
  const wakeAll = () => {
    for (const campaign of owned.all()) campaign.wake();
  };
  const wakeThoseOf = (owner: string) => {
    for (const campaign of owned.all()) if (campaign.owner === owner) campaign.wake();
  };
  const unsubscribes = [
    deps.admission.onWake(({ campaignId }) => owned.get(campaignId)?.wake()),
    deps.carrierHealth.onChange(wakeAll),
    deps.assistantHealth.onChange(wakeThoseOf),
    deps.directory.onChange(wakeThoseOf),
    deps.policies.onChange(wakeThoseOf),
    deps.asking.onChange(wakeThoseOf),
    deps.lists.onChange(wakeThoseOf),
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
  answer: (campaignIds: readonly CampaignId[]) => Promise<void>,
): Promise<void> {
  const { processId } = deps.settings;
  // The first look takes back what this process held before its restart.
  let formerHolder: string | undefined = processId;
  const pause = () => wait(deps.settings.leaseMillis / LOOKS_PER_LEASE);
  const onFailure = (error: unknown) =>
    deps.logger.error({ error }, "abandoned campaigns not taken over; tries again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
    const names = await deps.leases.abandoned(LEASE_PREFIX, ABANDONED_AT_ONCE, formerHolder);
    for (const name of names) {
      if (!owned.isUnreadable(campaignOf(name))) await adoptOne(deps, owned, name, answer);
      // It moves to the end: many of its kind would hide the others.
      else if (names.length === ABANDONED_AT_ONCE) await deps.leases.acquire(name, processId, 1);
    }
    formerHolder = undefined;
  });
}

/**
 * A campaign that cannot be taken over does not delay others. If this process cannot read it, it tries again
 * for a user's command, after a restart and on the next day; the lease is left to other processes.
 */
async function adoptOne(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  leaseName: string,
  answer: (campaignIds: readonly CampaignId[]) => Promise<void>,
): Promise<void> {
  const campaignId = campaignOf(leaseName);
  try {
    const campaign = await owned.adopt(campaignId);
    if (campaign !== null) await answer([campaignId]);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    deps.givenUp.add("campaign-runner", { campaignId }, error);
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
