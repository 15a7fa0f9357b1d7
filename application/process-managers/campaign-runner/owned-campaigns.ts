import type { CampaignId } from "../../../domain/shared/ids.ts";
import { campaignStream } from "../../stream-names.ts";
import type { CallOwners, RunnerDeps } from "./runner-deps.ts";
import { type RunningCampaign, runCampaign } from "./running-campaign.ts";

export const LEASE_PREFIX = "campaign:";

/** The campaigns whose lease this process holds. */
export type OwnedCampaigns = {
  readonly get: (campaignId: CampaignId) => RunningCampaign | undefined;
  readonly all: () => readonly RunningCampaign[];
  /** Takes the lease and runs the campaign; null when another process holds it, or there is no such campaign. */
  readonly adopt: (campaignId: CampaignId) => Promise<RunningCampaign | null>;
  /** Renews all leases; what was lost to another process stops here. */
  readonly renew: () => Promise<void>;
  /** Stops running it and leaves it to whoever looks for abandoned campaigns. */
  readonly abandon: (campaignIds: readonly CampaignId[]) => Promise<void>;
  readonly callOwners: CallOwners;
};

export function createOwnedCampaigns(deps: RunnerDeps): OwnedCampaigns {
  const { leases, logger, settings } = deps;
  const { processId, leaseMillis } = settings;
  const callOwners: CallOwners = new Map();
  const running = new Map<CampaignId, RunningCampaign>();
  /** Taking and giving up the lease of one campaign never overlap. */
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

  const begin = async (campaignId: CampaignId): Promise<RunningCampaign | null> => {
    const known = running.get(campaignId);
    if (known !== undefined && !known.isOver()) return known;
    if (!(await leases.acquire(LEASE_PREFIX + campaignId, processId, leaseMillis))) return null;
    const standing = await deps.aggregates.campaigns.query(
      campaignStream(campaignId),
      ({ owner, pauseReason }) => ({ owner, pauseReason }),
      { fresh: true },
    );
    if (standing.owner === null) {
      await leases.release(LEASE_PREFIX + campaignId, processId);
      return null;
    }
    if (standing.pauseReason === "carrier_unavailable") deps.carrierHealth.assumeUnavailable();
    const campaign = runCampaign(deps, callOwners, campaignId, standing.owner);
    running.set(campaignId, campaign);
    void campaign.finished.then((how) => {
      if (running.get(campaignId) !== campaign) return;
      running.delete(campaignId);
      if (how === "done") void inTurn(campaignId, () => giveUpLease(campaignId));
    });
    return campaign;
  };

  const giveUpLease = async (campaignId: CampaignId) => {
    if (running.has(campaignId)) return;
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

  return {
    callOwners,
    get: (campaignId) => running.get(campaignId),
    all: () => [...running.values()],
    adopt: (campaignId) => inTurn(campaignId, () => begin(campaignId)),
    renew: async () => {
      const ids = [...running.keys()];
      if (ids.length === 0) return;
      const names = ids.map((campaignId) => LEASE_PREFIX + campaignId);
      const kept = await leases.renew(names, processId, leaseMillis);
      for (const campaignId of ids) {
        if (kept.has(LEASE_PREFIX + campaignId) || !running.has(campaignId)) continue;
        logger.warn({ campaignId }, "campaign lost to another process");
        drop(campaignId);
      }
    },
    abandon: async (campaignIds) => {
      for (const campaignId of campaignIds) drop(campaignId);
      const names = campaignIds.map((campaignId) => LEASE_PREFIX + campaignId);
      if (names.length > 0) await leases.renew(names, processId, 1);
    },
  };
}
