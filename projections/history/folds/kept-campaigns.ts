import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { campaignStream } from "../../../application/log/stream-names.ts";
import type { Turns } from "../../../application/turns.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { LogDeps } from "../stream-history.ts";
import { bytesOf, type KeptCampaign, keep, noCampaign } from "./kept-campaign.ts";

type Entry = {
  readonly kept: KeptCampaign;
  /** It was read to its end once, so that only new events are left. */
  isRead: boolean;
  reading: Promise<void> | null;
  /** The reading after this one, for all who asked meanwhile. */
  next: Promise<void> | null;
};

/**
 * Returns all current events of a campaign. The campaigns used last are kept, `keptBytes` in all; for these
 * only new events are read. All who ask at the same time share one reading, and its failure; `firstReads`
 * says how many campaigns are read from their beginning at once.
 */
export function createKeptCampaigns(
  deps: LogDeps,
  keptBytes: number,
  firstReads: Turns,
): (asker: OwnerId, id: CampaignId) => Promise<KeptCampaign> {
  const entries = new Map<CampaignId, Entry>();
  const read = (asker: OwnerId, entry: Entry): Promise<void> => {
    entry.next = null;
    const reading = (
      entry.isRead ? readOn(deps, entry.kept) : firstReads(asker, () => readOn(deps, entry.kept))
    )
      .then(() => {
        entry.isRead = true;
      })
      .finally(() => {
        entry.reading = null;
      });
    entry.reading = reading;
    return reading;
  };
  /** What runs may have passed the end of the log already. */
  const readAfter = (asker: OwnerId, entry: Entry, reading: Promise<void>): Promise<void> => {
    entry.next = reading.then(
      () => read(asker, entry),
      (error) => {
        entry.next = null;
        throw error;
      },
    );
    return entry.next;
  };
  return async (asker, id) => {
    const entry = entries.get(id) ?? { kept: noCampaign(id), isRead: false, reading: null, next: null };
    entries.delete(id);
    entries.set(id, entry);
    try {
      await (entry.next ??
        (entry.reading === null ? read(asker, entry) : readAfter(asker, entry, entry.reading)));
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

/** Unknown campaigns are not kept; the oldest that nobody reads are dropped until the rest fits. */
function forgetOldest(entries: Map<CampaignId, Entry>, asked: CampaignId, most: number): void {
  const known = entries.get(asked);
  if (known?.reading === null && known.kept.columns.length === 0) entries.delete(asked);
  let bytes = 0;
  for (const { kept } of entries.values()) bytes += bytesOf(kept);
  for (const [id, { kept, reading }] of entries) {
    if (bytes <= most) return;
    if (reading !== null) continue;
    bytes -= bytesOf(kept);
    entries.delete(id);
  }
}
