import { queryOptions } from "@tanstack/react-query";
import type { StoryColumns } from "../../../client/story/fold-story.ts";
import type { Contact } from "./contact.ts";
import { get, query, request } from "./request.ts";

export const CAMPAIGN_STATUSES = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The fields of a campaign's record that the pages show. */
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

/** `askedAt` (ms since 1970): it contains everything that happened before. */
export type ToldStory = StoryColumns & { readonly askedAt: number };

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id, "story"],
    queryFn: async ({ signal }): Promise<ToldStory> => {
      const askedAt = Date.now();
      return { ...(await get<StoryColumns>(`${base(id)}/story`, signal)), askedAt };
    },
    // Later events come with the feed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });

const PAGE = 1_000;
/** More than are visible at first, and few enough to arrive at once. */
const FIRST = 60;
/** A browser has six connections; the others are for the user's actions meanwhile. */
const AT_ONCE = 3;

// The shown fields of contacts never change; their state is in the story.
const LASTING = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  structuralSharing: false,
} as const;

const contactsFrom = (id: string, from: number, limit: number, signal: AbortSignal) =>
  get<Contact[]>(`${base(id)}/contacts${query({ from, limit })}`, signal);

/** The first contacts in the order of import, requested before their number is known. */
export const firstContactsQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id, "contacts"],
    queryFn: ({ signal }) => contactsFrom(id, 0, FIRST, signal),
    ...LASTING,
  });

/** The contacts from index `from` to before index `until`. */
export const moreContactsQuery = (id: string, from: number, until: number) =>
  queryOptions({
    queryKey: ["campaign", id, "contacts", from, until],
    queryFn: async ({ signal }) => {
      const found: Contact[] = [];
      for (let place = from; place < until; place += AT_ONCE * PAGE) {
        const starts = Array.from({ length: AT_ONCE }, (_, page) => place + page * PAGE);
        const pages = starts
          .filter((start) => start < until)
          .map((start) => contactsFrom(id, start, PAGE, signal));
        found.push(...(await Promise.all(pages)).flat());
      }
      return found;
    },
    enabled: from < until,
    ...LASTING,
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
