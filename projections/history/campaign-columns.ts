import { recordedEvents } from "../../application/log/recorded-events.ts";
import { campaignStream } from "../../application/log/stream-names.ts";
import type { CampaignStory } from "../../application/ports/queries/history-records.ts";
import type { Heard } from "../../application/ports/queries.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { addToStory, noColumns, type StoryColumns, storyOf } from "./story-columns.ts";
import type { LogDeps } from "./stream-history.ts";

/** Rows and contacts of all kept stories: some 60 bytes each. */
const KEPT = 400_000;

type Kept = { readonly columns: StoryColumns; reading: Promise<void> };

/** The story of a campaign, over the log; kept, so that the next one reads only what is new. */
export function createCampaignStories(
  deps: LogDeps,
): (owner: OwnerId, id: CampaignId, heard?: Heard) => Promise<CampaignStory | null> {
  const kept = new Map<CampaignId, Kept>();
  return async (owner, id, heard) => {
    const entry = kept.get(id) ?? { columns: noColumns(), reading: Promise.resolve() };
    kept.delete(id);
    kept.set(id, entry);
    // One after another, also after one that failed: none adds what another adds.
    const reading = entry.reading.catch(() => undefined).then(() => readOn(deps, id, entry.columns));
    entry.reading = reading;
    try {
      await reading;
    } finally {
      forgetOldest(kept, id);
    }
    const story = storyOf(entry.columns, owner);
    if (story !== null) heard?.(story.position);
    return story;
  };
}

async function readOn(deps: LogDeps, id: CampaignId, columns: StoryColumns): Promise<void> {
  for await (const recorded of recordedEvents(deps, campaignStream(id), columns.revision + 1))
    addToStory(columns, recorded);
}

/** What nobody knows is not kept; of the others the oldest go until the rest fits. */
function forgetOldest(kept: Map<CampaignId, Kept>, asked: CampaignId): void {
  if (kept.get(asked)?.columns.owner === null) kept.delete(asked);
  let weight = 0;
  for (const { columns } of kept.values()) weight += columns.at.length + columns.places.size;
  for (const [id, { columns }] of kept) {
    if (weight <= KEPT) return;
    weight -= columns.at.length + columns.places.size;
    kept.delete(id);
  }
}
