import type { EventFilter, StoredEvent } from "../../application/ports/event-store.ts";

/** All given conditions must hold; no filter lets everything through. */
export function matchesFilter(event: StoredEvent, filter: EventFilter | undefined): boolean {
  if (filter === undefined) return true;
  const { categories, streams, types, owner, campaignId, outsideOfCampaigns = [] } = filter;
  if (categories !== undefined && !categories.includes(categoryOf(event.stream))) return false;
  if (streams !== undefined && !streams.includes(event.stream)) return false;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (campaignId !== undefined && !isOfCampaign(event, campaignId)) return false;
  if (outsideOfCampaigns.includes(event.type) && event.metadata.campaignId !== undefined) return false;
  return owner === undefined || event.metadata.owner === owner;
}

function isOfCampaign({ stream, metadata }: StoredEvent, campaignId: string): boolean {
  return stream === `campaign-${campaignId}` || metadata.campaignId === campaignId;
}

/** `call` of `call-<id>`; a name without a dash is its own category. */
export function categoryOf(stream: string): string {
  const dash = stream.indexOf("-");
  return dash === -1 ? stream : stream.slice(0, dash);
}
