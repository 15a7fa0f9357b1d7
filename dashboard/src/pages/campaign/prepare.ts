import type { QueryClient } from "@tanstack/react-query";
import { campaignQuery, firstContactsQuery, storyQuery } from "../../api/campaigns.ts";
import { sessionQuery } from "../../api/session.ts";

/** Requests the page's first data while its script is still loading. Does nothing without a session. */
export async function prepareCampaign(queries: QueryClient, id: string): Promise<void> {
  const session = await queries.fetchQuery(sessionQuery).catch(() => null);
  if (session === null) return;
  await Promise.all([
    queries.prefetchQuery(campaignQuery(id)),
    queries.prefetchQuery(storyQuery(id)),
    queries.prefetchQuery(firstContactsQuery(id)),
  ]);
}
