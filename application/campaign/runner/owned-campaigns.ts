import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import { createRecentMap } from "../../recent-map.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { assumePauseReason, type FoundCampaign, findCampaign } from "./found-campaign.ts";
import type { CallOwners, RunnerDeps } from "./runner-deps.ts";
import { type RunningCampaign, runCampaign } from "./running-campaign.ts";

export const LEASE_PREFIX = "campaign:";
/** For this long, this process does not try again by itself to run a campaign that it could not read. */
const UNREADABLE_MILLIS = 24 * 60 * 60_000;
const UNREADABLE_KEPT = 10_000;

/** Campaigns whose lease this process holds. */
export type OwnedCampaigns = {
  readonly get: (campaignId: CampaignId) => RunningCampaign | undefined;
  readonly all: () => readonly RunningCampaign[];
  /** Takes the lease and runs the campaign; null: another process holds it, or it does not exist. */
  readonly adopt: (campaignId: CampaignId) => Promise<RunningCampaign | null>;
  /**
   * This process could not read it less than a day ago. Another process may be able to, for
   * example of a newer release.
   */
  readonly isUnreadable: (campaignId: CampaignId) => boolean;
  /**
   * Runs `work` while the campaign is held, even if there is nothing to run before it. If this process dies
   * right after the work, it leaves a lease that expires, so another process finds the campaign. Afterwards
   * the campaign runs here, or is left to others. null as with `adopt`.
   */
  readonly whileHeld: <T>(
    campaignId: CampaignId,
    work: (campaign: RunningCampaign) => Promise<T>,
  ) => Promise<T | null>;
  /**
   * Stores an expired lease for a campaign that is about to be created and will start by itself. A process
   * that looks for abandoned campaigns finds it even if this process dies right after the creation. Its
   * contacts are in the log by then.
   */
  readonly announce: (campaignId: CampaignId) => Promise<void>;
  /** Renews all leases; campaigns whose lease was lost are stopped here. */
  readonly renew: () => Promise<void>;
  /** Stops running all of them; other processes find them as abandoned. */
  readonly abandonAll: () => Promise<void>;
  readonly callOwners: CallOwners;
};

/** `keeps` false: a campaign is held only for one piece of work. */
export function createOwnedCampaigns(deps: RunnerDeps, keeps: boolean): OwnedCampaigns {
  return new LeasedCampaigns(deps, keeps);
}

class LeasedCampaigns implements OwnedCampaigns {
  readonly callOwners: CallOwners = new Map();
  readonly #deps: RunnerDeps;
  readonly #keeps: boolean;
  readonly #running = new Map<CampaignId, RunningCampaign>();
  readonly #unreadableUntil = createRecentMap<CampaignId, number>(UNREADABLE_KEPT);
  /** Taking the lease of a campaign, working on it and releasing it never overlap. */
  readonly #inTurn = oneAtATime<CampaignId>();

  constructor(deps: RunnerDeps, keeps: boolean) {
    this.#deps = deps;
    this.#keeps = keeps;
  }

  get(campaignId: CampaignId): RunningCampaign | undefined {
    return this.#running.get(campaignId);
  }

  all(): readonly RunningCampaign[] {
    return [...this.#running.values()];
  }

  adopt(campaignId: CampaignId): Promise<RunningCampaign | null> {
    return this.#inTurn(campaignId, () => this.#begin(campaignId));
  }

  isUnreadable(campaignId: CampaignId): boolean {
    return this.#deps.clock.monotonicMillis() < (this.#unreadableUntil.get(campaignId) ?? 0);
  }

  whileHeld<T>(campaignId: CampaignId, work: (campaign: RunningCampaign) => Promise<T>): Promise<T | null> {
    return this.#inTurn(campaignId, async () => {
      const campaign = await this.#begin(campaignId);
      if (campaign === null) return null;
      try {
        return await work(campaign);
      } finally {
        if (!this.#keeps) await this.#leaveToOthers([campaignId]);
        else if (campaign.isOver()) await this.#begin(campaignId);
      }
    });
  }

  async announce(campaignId: CampaignId): Promise<void> {
    const { leases, settings } = this.#deps;
    await leases.acquire(leaseOf(campaignId), settings.processId, 1);
  }

  async renew(): Promise<void> {
    const { leases, logger, settings } = this.#deps;
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const kept = await leases.renew(ids.map(leaseOf), settings.processId, settings.leaseMillis);
    for (const campaignId of ids) {
      if (kept.has(leaseOf(campaignId)) || !this.#running.has(campaignId)) continue;
      this.#drop(campaignId);
      // Another process may have taken and released it since; then nobody would run it. Not awaited: work on
      // it may take longer than the leases of the others.
      this.adopt(campaignId).then(
        (again) => this.#tellLost(campaignId, again === null),
        (error: unknown) => logger.error({ campaignId, error }, "campaign not taken up again"),
      );
    }
  }

  abandonAll(): Promise<void> {
    return this.#leaveToOthers([...this.#running.keys()]);
  }

  async #begin(campaignId: CampaignId): Promise<RunningCampaign | null> {
    const { leases, settings } = this.#deps;
    // Acquired again also when it runs here: the lease may have expired, and been taken and released by
    // another process since.
    const held = await leases.acquire(leaseOf(campaignId), settings.processId, settings.leaseMillis);
    if (!held) {
      this.#lose(campaignId);
      return null;
    }
    const known = this.#running.get(campaignId);
    if (known !== undefined && !known.isOver()) return known;
    const found = await this.#read(campaignId);
    if (found.owner === null) {
      // During its import it may still become one that starts by itself: the next look finds it again.
      if (found.isImporting) await this.#leaveToOthers([campaignId]);
      else await leases.release(leaseOf(campaignId), settings.processId);
      return null;
    }
    await assumePauseReason(this.#deps, found.owner, found);
    return this.#run(campaignId, found.owner);
  }

  /** A campaign that cannot be read is left to others at once: they may be able to. */
  async #read(campaignId: CampaignId): Promise<FoundCampaign> {
    try {
      const found = await findCampaign(this.#deps, campaignId);
      this.#unreadableUntil.delete(campaignId);
      return found;
    } catch (error) {
      if (isRefusedForGood(error)) {
        const until = this.#deps.clock.monotonicMillis() + UNREADABLE_MILLIS;
        this.#unreadableUntil.set(campaignId, until);
        if (!this.#running.has(campaignId)) await this.#leaveToOthers([campaignId]);
      }
      throw error;
    }
  }

  #run(campaignId: CampaignId, owner: OwnerId): RunningCampaign {
    const campaign = runCampaign(this.#deps, this.callOwners, campaignId, owner);
    this.#running.set(campaignId, campaign);
    void campaign.finished.then((how) => {
      if (how === "done") void this.#inTurn(campaignId, () => this.#giveUp(campaignId, campaign));
      // Its last step may have recorded dials after the lease was lost. The new run here has not seen them
      // and would assume that they are on their way.
      else this.#running.get(campaignId)?.lookAfresh();
    });
    return campaign;
  }

  /** Unless it was started again meanwhile, or left to others. */
  async #giveUp(campaignId: CampaignId, over: RunningCampaign): Promise<void> {
    const { leases, logger, settings } = this.#deps;
    if (this.#running.get(campaignId) !== over) return;
    this.#running.delete(campaignId);
    try {
      await leases.release(leaseOf(campaignId), settings.processId);
    } catch (error) {
      logger.warn({ campaignId, error }, "lease not released; it lapses");
    }
  }

  #lose(campaignId: CampaignId): void {
    if (!this.#running.has(campaignId)) return;
    this.#tellLost(campaignId, true);
    this.#drop(campaignId);
  }

  /** A lease may also run out while nobody else wants it: after a pause of this process or the database. */
  #tellLost(campaignId: CampaignId, toAnother: boolean): void {
    if (toAnother) this.#deps.logger.warn({ campaignId }, "campaign lost to another process");
    else this.#deps.logger.info({ campaignId }, "the lease of a campaign had run out; it goes on here");
  }

  async #leaveToOthers(campaignIds: readonly CampaignId[]): Promise<void> {
    for (const campaignId of campaignIds) this.#drop(campaignId);
    if (campaignIds.length === 0) return;
    await this.#deps.leases.renew(campaignIds.map(leaseOf), this.#deps.settings.processId, 1);
  }

  #drop(campaignId: CampaignId): void {
    this.#running.get(campaignId)?.stop();
    this.#running.delete(campaignId);
  }
}

function leaseOf(campaignId: CampaignId): string {
  return LEASE_PREFIX + campaignId;
}
