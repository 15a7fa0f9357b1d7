import type { QueryClient } from "@tanstack/react-query";
import { campaignQuery, firstContactsQuery, storyQuery } from "../../api/campaigns.ts";
import { sessionQuery } from "../../api/session.ts";

/** Asks for what the page shows first while its own script is still on the way. Whoever is not signed in asks for nothing. */
export async function prepareCampaign(queries: QueryClient, id: string): Promise<void> {
  const session = await queries.fetchQuery(sessionQuery).catch(() => null);
  if (session === null) return;
  await Promise.all([
    queries.prefetchQuery(campaignQuery(id)),
    queries.prefetchQuery(storyQuery(id)),
    queries.prefetchQuery(firstContactsQuery(id)),
  ]);
}
