import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { campaignStream } from "../../../application/log/stream-names.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { LogDeps } from "../stream-history.ts";
import { bytesOf, type KeptCampaign, keep, noCampaign } from "./kept-campaign.ts";

type Entry = { readonly kept: KeptCampaign; reading: Promise<void> };

/**
 * Returns all current events of a campaign. The campaigns used last are kept, `keptBytes` in all; for these
 * only new events are read.
 */
export function createKeptCampaigns(
  deps: LogDeps,
  keptBytes: number,
): (id: CampaignId) => Promise<KeptCampaign> {
  const entries = new Map<CampaignId, Entry>();
  return async (id) => {
    const entry = entries.get(id) ?? { kept: noCampaign(id), reading: Promise.resolve() };
    entries.delete(id);
    entries.set(id, entry);
    // One after another, also after a failure, so that two reads do not keep the same events twice.
    const reading = entry.reading.catch(() => undefined).then(() => readOn(deps, entry.kept));
    entry.reading = reading;
    try {
      await reading;
      return entry.kept;
    } finally {
      forgetOldest(entries, id, keptBytes);
    }
  };
}

async function readOn(deps: LogDeps, kept: KeptCampaign): Promise<void> {
  const events = recordedEvents(deps, campaignStream(kept.id), kept.revision + 1, { ahead: true });
  for await (const recorded of events) keep(kept, recorded);
}

/** Unknown campaigns are not kept; the oldest of the others are dropped until the rest fits. */
function forgetOldest(entries: Map<CampaignId, Entry>, asked: CampaignId, most: number): void {
  if (entries.get(asked)?.kept.columns.length === 0) entries.delete(asked);
  let bytes = 0;
  for (const { kept } of entries.values()) bytes += bytesOf(kept);
  for (const [id, { kept }] of entries) {
    if (bytes <= most) return;
    bytes -= bytesOf(kept);
    entries.delete(id);
  }
}
