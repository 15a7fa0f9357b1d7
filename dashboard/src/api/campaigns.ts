import { queryOptions } from "@tanstack/react-query";
import type { StoryColumns } from "../../../client/story/fold-story.ts";
import { get, query, request } from "./request.ts";

export const CAMPAIGN_STATUSES = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What the pages show of a campaign's record. */
export type Campaign = {
  readonly id: string;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly pauseReason: string | null;
  readonly nextWindowOpensAt: string | null;
  readonly startAt: string | null;
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  readonly pendingCalls: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  readonly effectiveMaxConcurrentCalls: number;
  readonly timezone: string;
  readonly createdAt: string;
};
export type Statistics = {
  readonly waitingRetry: number;
  readonly averageCallDuration: number | null;
  readonly cost: number | null;
};
export type CampaignAnswer = { readonly campaign: Campaign; readonly statistics: Statistics };

export type Contact = {
  readonly id: string;
  readonly phoneNumber: string;
  readonly name: string | null;
  readonly customData: Readonly<Record<string, unknown>>;
  readonly timezone: string | null;
  readonly externalId: string | null;
};

export type Progress = {
  readonly waitingFor: string | null;
  readonly estimatedEndAt: string | null;
};

const base = (id: string) => `/api/v1/campaigns/${encodeURIComponent(id)}`;

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) => get<CampaignAnswer>(base(id), signal),
  });

export const progressQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ["campaign", id, "progress"],
    queryFn: ({ signal }) => get<Progress>(`${base(id)}/progress`, signal),
    enabled: isRunning,
    refetchInterval: 5_000,
  });

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id, "story"],
    queryFn: ({ signal }) => get<StoryColumns>(`${base(id)}/story`, signal),
    // What happens from then on comes with the feed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });

const PAGE = 1_000;

/** All contacts, in the order of import. `count`: how many there are. */
export const contactsQuery = (id: string, count: number) =>
  queryOptions({
    queryKey: ["campaign", id, "contacts", count],
    queryFn: async ({ signal }) => {
      const pages = Array.from({ length: Math.ceil(count / PAGE) }, (_, page) =>
        get<Contact[]>(`${base(id)}/contacts${query({ from: page * PAGE, limit: PAGE })}`, signal),
      );
      return (await Promise.all(pages)).flat();
    },
    enabled: count > 0,
    // Nothing that is shown of them changes; how they stand is in the story.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });

export type Explanation = {
  readonly verdict: string;
  readonly sentence: string;
  readonly until: string | null;
  readonly because: readonly { readonly position: string; readonly type: string; readonly at: string }[];
};

export async function explain(
  { id, contactId, at }: { readonly id: string; readonly contactId: string; readonly at: string | undefined },
  language: string,
  signal: AbortSignal,
): Promise<Explanation> {
  const path = `${base(id)}/contacts/${encodeURIComponent(contactId)}/explain${query({ at })}`;
  const headers = { "Accept-Language": language };
  return (await request<Explanation>("GET", path, { signal, headers })).data;
}

export type ContactEvent = {
  readonly position: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export const contactEvents = (id: string, contactId: string, signal: AbortSignal): Promise<ContactEvent[]> =>
  get<ContactEvent[]>(`${base(id)}/contacts/${encodeURIComponent(contactId)}/events?limit=200`, signal);
