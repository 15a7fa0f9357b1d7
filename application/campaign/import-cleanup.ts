import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import type { GivenUp } from "../given-up.ts";
import type { Campaigns } from "../log/aggregates.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";
import type { Imports } from "../ports/imports.ts";
import type { Logger } from "../ports/logger.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { repeatUntilStopped } from "../repeating.ts";

/** An import without its seal after this time is abandoned (docs/architecture.md §2). */
const ABANDONED_AFTER_MILLIS = 24 * 60 * 60_000;
const LOOK_EVERY_MILLIS = 10 * 60_000;
const AT_ONCE = 100;

export type ImportCleanupDeps = {
  readonly campaigns: Campaigns;
  readonly eventStore: EventStore;
  readonly imports: Imports;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly givenUp: GivenUp;
};

/** Abandons imports that a crash left without their seal; ends when `stop` aborts. */
export async function runImportCleanup(deps: ImportCleanupDeps, stop: AbortSignal): Promise<void> {
  const pause = () => deps.clock.sleep(LOOK_EVERY_MILLIS, stop);
  const onFailure = (error: unknown) =>
    deps.logger.error({ error }, "old imports not abandoned; tries again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
    await abandonOldImports(deps);
  });
}

/**
 * One round; returns how many imports it looked at. If the import was sealed after all, nothing is abandoned:
 * its chunks are not open any more. An import whose campaign cannot be read, or accepts no event, is
 * forgotten and does not delay the others.
 */
export async function abandonOldImports(deps: ImportCleanupDeps): Promise<number> {
  const before = plusMillis(deps.clock.now(), -ABANDONED_AFTER_MILLIS);
  const old = await deps.imports.unsealedSince(before, AT_ONCE);
  for (const { importId, campaignId } of old) {
    try {
      await abandon(deps, campaignId, importId);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      deps.givenUp.add("import-cleanup", { importId, campaignId }, error);
      await deps.imports.sealed(importId);
    }
  }
  return old.length;
}

async function abandon(deps: ImportCleanupDeps, campaignId: CampaignId, importId: ImportId): Promise<void> {
  const owner = await ownerOf(deps, campaignId);
  if (owner !== null) {
    const abandonment = { type: "AbandonImport", importId, now: deps.clock.now() } as const;
    const actor = "process:import-cleanup";
    const origin = { owner, actor, correlationId: campaignId, causationId: null };
    await deps.campaigns.handle(campaignStream(campaignId), [abandonment], origin);
  }
  await deps.imports.sealed(importId);
}

/** From the first chunk, because a campaign that was never sealed has no owner. null: there is no chunk. */
async function ownerOf(deps: ImportCleanupDeps, campaignId: CampaignId): Promise<string | null> {
  try {
    const [first] = await deps.eventStore.read(campaignStream(campaignId), { max: 1 });
    return first?.metadata.owner ?? null;
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return null;
    throw error;
  }
}
