import type { CampaignId } from "../../domain/shared/ids.ts";
import { CAMPAIGN_KINDS } from "../../domain/webhook/kinds.ts";
import { recordedEvents } from "../log/recorded-events.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { UncappedCampaign as CampaignRecord, Queries } from "../ports/queries.ts";
import { type CampaignEntryDeps, campaignEntry, tellableChange } from "./campaign-entry.ts";
import type { ReplayedEvent, ReplayedPart, ReplaySource } from "./replay-source.ts";

const PAGE = 200;

export type ReplayedCampaignsDeps = CampaignEntryDeps & {
  readonly queries: Pick<Queries, "campaign" | "campaigns">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
};

/**
 * Finds the campaigns of a range in the read model, and their events in the log. One body at a time, in
 * order, because each fold continues the one before.
 */
export function replayedCampaigns(deps: ReplayedCampaignsDeps): ReplaySource {
  return { atOnce: 1, events: (part) => eventsOfCampaigns(deps, part) };
}

async function* eventsOfCampaigns(
  deps: ReplayedCampaignsDeps,
  part: ReplayedPart,
): AsyncGenerator<readonly ReplayedEvent[]> {
  if (!CAMPAIGN_KINDS.some((kind) => part.kinds.has(kind))) return;
  for await (const { id, createdAt, updatedAt } of campaignsOf(deps, part)) {
    if (createdAt < part.to && updatedAt >= part.from) yield* eventsOfCampaign(deps, part, id);
  }
}

async function* campaignsOf(
  { queries }: ReplayedCampaignsDeps,
  { owner, campaignId }: ReplayedPart,
): AsyncGenerator<CampaignRecord> {
  if (campaignId !== undefined) {
    const known = await queries.campaign(owner, campaignId);
    if (known !== null) yield known.campaign;
    return;
  }
  for (let after: CampaignId | null = null; ; ) {
    const page: Awaited<ReturnType<Queries["campaigns"]>> = await queries.campaigns(
      owner,
      {},
      { limit: PAGE, after },
    );
    yield* page.rows;
    if (page.next === null) return;
    after = page.next;
  }
}

async function* eventsOfCampaign(
  deps: ReplayedCampaignsDeps,
  { from, to, kinds }: ReplayedPart,
  id: CampaignId,
): AsyncGenerator<readonly ReplayedEvent[]> {
  let some: ReplayedEvent[] = [];
  for await (const recorded of recordedEvents(deps, campaignStream(id))) {
    const change = tellableChange(deps.ids, recorded);
    if (change === null || !kinds.has(change.kind)) continue;
    const { at } = change.event.data;
    if (at < from || at >= to) continue;
    some.push({ eventId: change.eventId, make: () => campaignEntry(deps, change) });
    if (some.length < PAGE) continue;
    yield some;
    some = [];
  }
  yield some;
}
