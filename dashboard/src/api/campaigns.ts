import { queryOptions } from "@tanstack/react-query";
import type { CampaignRecord } from "../../../contract/campaign.ts";
import type { CampaignStory } from "../../../contract/campaign-story.ts";
import type { ContactRecord } from "../../../contract/contact.ts";
import { get } from "./request.ts";

export type CampaignStatus = CampaignRecord["status"];

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) => get("/api/v1/campaigns/:id", { params: { id }, signal }),
  });

export const progressQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ["campaign", id, "progress"],
    queryFn: ({ signal }) => get("/api/v1/campaigns/:id/progress", { params: { id }, signal }),
    enabled: isRunning,
    refetchInterval: 5_000,
  });

/** `askedAt` (ms since 1970): it contains everything that happened before. */
export type ToldStory = CampaignStory & { readonly askedAt: number };

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaign", id, "story"],
    queryFn: async ({ signal }): Promise<ToldStory> => {
      const askedAt = Date.now();
      return { ...(await get("/api/v1/campaigns/:id/story", { params: { id }, signal })), askedAt };
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
  get("/api/v1/campaigns/:id/contacts", { params: { id }, query: { from, limit }, signal });

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
      const found: ContactRecord[] = [];
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

/** Those that the owner's policy holds, the first thousand: more are not looked through one by one. */
export const heldContactsQuery = (id: string, isAsked: boolean) =>
  queryOptions({
    queryKey: ["campaign", id, "held"],
    queryFn: ({ signal }) =>
      get("/api/v1/campaigns/:id/contacts", { params: { id }, query: { held: "true", limit: PAGE }, signal }),
    enabled: isAsked,
    refetchInterval: 5_000,
  });

export const explain = (
  { id, contactId, at }: { readonly id: string; readonly contactId: string; readonly at: string | undefined },
  language: string,
  signal: AbortSignal,
) =>
  get("/api/v1/campaigns/:id/contacts/:contactId/explain", {
    params: { id, contactId },
    query: { at },
    headers: { "Accept-Language": language },
    signal,
  });

export const contactRecord = (id: string, contactId: string, signal: AbortSignal) =>
  get("/api/v1/campaigns/:id/contacts/:contactId", { params: { id, contactId }, signal });

export const contactEvents = (id: string, contactId: string, signal: AbortSignal) =>
  get("/api/v1/campaigns/:id/contacts/:contactId/events", {
    params: { id, contactId },
    query: { limit: 200 },
    signal,
  });
