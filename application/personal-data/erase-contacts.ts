import { DomainError } from "../../domain/shared/errors.ts";
import type { Campaigns } from "../log/aggregates.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import type { DeletedCampaign, ErasureJournal, Erasures, ShownWords } from "../ports/erasures.ts";
import type { Logger } from "../ports/logger.ts";
import { isRefusedForGood } from "../refused-for-good.ts";

type ContactErasingDeps = {
  readonly erasures: Pick<Erasures, "clearCampaigns" | "eraseKeys" | "notErased">;
  readonly journal: Pick<ErasureJournal, "add">;
  readonly clock: Pick<Clock, "now">;
};

/**
 * After this nobody can read the contacts of these deleted campaigns: the line in the file, then the key.
 * Each step may be repeated. Copies are removed before the key, which marks it as done, and once more after
 * it, for those made meanwhile.
 */
export async function eraseContacts(
  deps: ContactErasingDeps,
  campaigns: readonly DeletedCampaign[],
): Promise<void> {
  if (campaigns.length === 0) return;
  await eraseKeysOf(deps, campaigns, await missingOf(deps, campaigns));
}

async function eraseKeysOf(
  { erasures, journal, clock }: ContactErasingDeps,
  campaigns: readonly DeletedCampaign[],
  missing: readonly DeletedCampaign[],
): Promise<void> {
  await erasures.clearCampaigns(campaigns);
  if (missing.length > 0) {
    await journal.add(missing, clock.now());
    await erasures.eraseKeys(missing);
  }
  await erasures.clearCampaigns(campaigns);
}

type RestoredDeps = ContactErasingDeps & { readonly shownWords: Pick<ShownWords, "removeContacts"> };

/** Erases what the keys do not know as erased; returns how many campaigns. */
export async function eraseRestoredContacts(
  deps: RestoredDeps,
  campaigns: readonly DeletedCampaign[],
): Promise<number> {
  const missing = await missingOf(deps, campaigns);
  if (missing.length > 0) await eraseShown(deps, missing);
  return missing.length;
}

/** Rows of read models first. */
async function eraseShown(deps: RestoredDeps, missing: readonly DeletedCampaign[]): Promise<void> {
  await deps.shownWords.removeContacts(missing.map(({ campaignId }) => campaignId));
  await eraseKeysOf(deps, missing, missing);
}

/** Each once, however often it occurs. */
async function missingOf(
  { erasures }: Pick<ContactErasingDeps, "erasures">,
  campaigns: readonly DeletedCampaign[],
): Promise<readonly DeletedCampaign[]> {
  const byId = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign]));
  const missing = await erasures.notErased([...byId.keys()]);
  return [...byId.values()].filter(({ campaignId }) => missing.has(campaignId));
}

type DeletingDeps = RestoredDeps & { readonly campaigns: Campaigns; readonly logger: Logger };

/**
 * Deletes campaigns again, and erases their contacts: the file knows that they were deleted, and the log may
 * be older. One that has begun since the restore is kept, because somebody may have been called for it.
 */
export async function deleteAgain(
  deps: DeletingDeps,
  campaigns: readonly DeletedCampaign[],
): Promise<number> {
  let count = 0;
  for (const campaign of await missingOf(deps, campaigns)) {
    const told = await tellLog(deps, campaign);
    if (told === "begun") continue;
    await eraseShown(deps, [campaign]);
    count += 1;
    // A stream whose contacts could not be decrypted can be read after its key is erased.
    if (told === "unread") await tellLog(deps, campaign);
  }
  return count;
}

async function tellLog(
  { campaigns, clock, logger }: DeletingDeps,
  { campaignId, owner }: DeletedCampaign,
): Promise<"deleted" | "begun" | "unread"> {
  const origin = { owner, actor: "process:erasures", correlationId: campaignId, causationId: null };
  const command = { type: "DeleteCampaign", now: clock.now() } as const;
  try {
    await campaigns.handle(campaignStream(campaignId), [command], origin);
    return "deleted";
  } catch (error) {
    if (error instanceof DomainError && error.code === "campaign.not-found") return "deleted";
    if (error instanceof DomainError) {
      logger.error({ campaignId }, "a campaign that was deleted has begun since the restore; it is kept");
      return "begun";
    }
    if (!isRefusedForGood(error)) throw error;
    return "unread";
  }
}
