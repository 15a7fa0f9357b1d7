import type { CampaignPins } from "../../../domain/campaign/state.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { campaignStream } from "../../log/stream-names.ts";
import { createRecentMap } from "../../recent-map.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import type { CallOwners, RunnerDeps } from "./runner-deps.ts";
import { type RunningCampaign, runCampaign } from "./running-campaign.ts";

export const LEASE_PREFIX = "campaign:";
/** So long nobody here tries by itself again to run a campaign that this process could not read. */
const UNREADABLE_MILLIS = 24 * 60 * 60_000;
const UNREADABLE_KEPT = 10_000;

/** The campaigns whose lease this process holds. */
export type OwnedCampaigns = {
  readonly get: (campaignId: CampaignId) => RunningCampaign | undefined;
  readonly all: () => readonly RunningCampaign[];
  /** Takes the lease and runs the campaign; null when another process holds it, or there is no such campaign. */
  readonly adopt: (campaignId: CampaignId) => Promise<RunningCampaign | null>;
  /** This process could not read it less than a day ago. Another one may: one of a newer release, for example. */
  readonly isUnreadable: (campaignId: CampaignId) => boolean;
  /**
   * Does work on a campaign that is not given up meanwhile, though it may have nothing to do before the work: so a process that dies right after it
   * leaves a lease that lapses, and somebody finds it. Afterwards it runs here, or is left to others. null as with `adopt`.
   */
  readonly whileHeld: <T>(
    campaignId: CampaignId,
    work: (campaign: RunningCampaign) => Promise<T>,
  ) => Promise<T | null>;
  /**
   * Leaves a lease that has lapsed already, for a campaign that is about to be created and starts by itself: whoever looks for abandoned ones finds
   * it, also when this process dies right after the creation. Its contacts stand in the log by then.
   */
  readonly announce: (campaignId: CampaignId) => Promise<void>;
  /** Renews all leases; what was lost to another process stops here. */
  readonly renew: () => Promise<void>;
  /** Stops running all of them and leaves them to whoever looks for abandoned campaigns. */
  readonly abandonAll: () => Promise<void>;
  readonly callOwners: CallOwners;
};

/** `keeps` false: a campaign is held for a piece of work only. */
export function createOwnedCampaigns(deps: RunnerDeps, keeps: boolean): OwnedCampaigns {
  const { leases, logger, settings, clock } = deps;
  const { processId, leaseMillis } = settings;
  const callOwners: CallOwners = new Map();
  const running = new Map<CampaignId, RunningCampaign>();
  const unreadableUntil = createRecentMap<CampaignId, number>(UNREADABLE_KEPT);
  /** Taking the lease of one campaign, work on it and giving it up never overlap. */
  const changing = new Map<CampaignId, Promise<unknown>>();

  const inTurn = async <T>(campaignId: CampaignId, change: () => Promise<T>): Promise<T> => {
    const before = changing.get(campaignId) ?? Promise.resolve();
    const mine = before.then(change, change);
    changing.set(campaignId, mine);
    try {
      return await mine;
    } finally {
      if (changing.get(campaignId) === mine) changing.delete(campaignId);
    }
  };

  /** What cannot be read is left to others at once: they may know how. */
  const read = async (campaignId: CampaignId) => {
    try {
      const standing = await deps.aggregates.campaigns.query(
        campaignStream(campaignId),
        ({ owner, pins, pauseReason, openImports }) => ({
          owner,
          pins,
          pauseReason,
          isImporting: openImports.size > 0,
        }),
        { fresh: true },
      );
      unreadableUntil.delete(campaignId);
      return standing;
    } catch (error) {
      if (isRefusedForGood(error)) {
        unreadableUntil.set(campaignId, clock.monotonicMillis() + UNREADABLE_MILLIS);
        if (!running.has(campaignId)) await leaveToOthers([campaignId]);
      }
      throw error;
    }
  };

  const begin = async (campaignId: CampaignId): Promise<RunningCampaign | null> => {
    // Asked for also when it runs here: it may have lapsed, and been taken and given up by another process since.
    const held = await leases.acquire(LEASE_PREFIX + campaignId, processId, leaseMillis);
    if (!held) {
      lose(campaignId);
      return null;
    }
    const known = running.get(campaignId);
    if (known !== undefined && !known.isOver()) return known;
    const standing = await read(campaignId);
    if (standing.owner === null) {
      // While its import goes on it may become one that starts by itself: whoever looks next finds it again.
      if (standing.isImporting) await leaveToOthers([campaignId]);
      else await leases.release(LEASE_PREFIX + campaignId, processId);
      return null;
    }
    if (standing.pauseReason === "carrier_unavailable") await assumeAway(deps, standing.pins);
    if (standing.pauseReason === "assistant_unavailable")
      deps.assistantHealth.assumeUnavailable(standing.owner);
    const campaign = runCampaign(deps, callOwners, campaignId, standing.owner);
    running.set(campaignId, campaign);
    void campaign.finished.then((how) => {
      if (how === "done") void inTurn(campaignId, () => giveUp(campaignId, campaign));
      // Its last step may have recorded dials after it was lost; who runs it here since then has not seen them, and believes them to be on their way.
      else running.get(campaignId)?.lookAfresh();
    });
    return campaign;
  };

  /** Unless it was begun again meanwhile, or left to others. */
  const giveUp = async (campaignId: CampaignId, over: RunningCampaign) => {
    if (running.get(campaignId) !== over) return;
    running.delete(campaignId);
    try {
      await leases.release(LEASE_PREFIX + campaignId, processId);
    } catch (error) {
      logger.warn({ campaignId, error }, "lease not released; it lapses");
    }
  };

  const drop = (campaignId: CampaignId) => {
    running.get(campaignId)?.stop();
    running.delete(campaignId);
  };

  const lose = (campaignId: CampaignId) => {
    if (!running.has(campaignId)) return;
    logger.warn({ campaignId }, "campaign lost to another process");
    drop(campaignId);
  };

  const adopt = (campaignId: CampaignId) => inTurn(campaignId, () => begin(campaignId));

  const leaveToOthers = async (campaignIds: readonly CampaignId[]) => {
    for (const campaignId of campaignIds) drop(campaignId);
    const names = campaignIds.map((campaignId) => LEASE_PREFIX + campaignId);
    if (names.length > 0) await leases.renew(names, processId, 1);
  };

  return {
    callOwners,
    get: (campaignId) => running.get(campaignId),
    all: () => [...running.values()],
    adopt,
    announce: async (campaignId) => {
      await leases.acquire(LEASE_PREFIX + campaignId, processId, 1);
    },
    isUnreadable: (campaignId) => clock.monotonicMillis() < (unreadableUntil.get(campaignId) ?? 0),
    renew: async () => {
      const ids = [...running.keys()];
      if (ids.length === 0) return;
      const names = ids.map((campaignId) => LEASE_PREFIX + campaignId);
      const kept = await leases.renew(names, processId, leaseMillis);
      for (const campaignId of ids) {
        if (kept.has(LEASE_PREFIX + campaignId) || !running.has(campaignId)) continue;
        lose(campaignId);
        // Who took it may have given it up since: then nobody else would run it. Not waited for: work on it may take longer than the others' leases.
        adopt(campaignId).catch((error: unknown) =>
          logger.error({ campaignId, error }, "campaign not taken up again"),
        );
      }
    },
    abandonAll: () => leaveToOthers([...running.keys()]),
    whileHeld: (campaignId, work) =>
      inTurn(campaignId, async () => {
        const campaign = await begin(campaignId);
        if (campaign === null) return null;
        try {
          return await work(campaign);
        } finally {
          if (!keeps) await leaveToOthers([campaignId]);
          else if (campaign.isOver()) await begin(campaignId);
        }
      }),
  };
}

/** What its number calls through was away when the campaign was paused. */
async function assumeAway(
  { directory, carriers, carrierHealth }: RunnerDeps,
  pins: CampaignPins | null,
): Promise<void> {
  if (pins === null) return;
  const number = await directory.phoneNumber(pins.owner, pins.phoneNumberId);
  carrierHealth.assumeUnavailable(carriers.wayOf(pins.owner, number?.connectionId ?? null));
}
