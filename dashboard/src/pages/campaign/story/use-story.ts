import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { foldStory, openStory, type Story } from "../../../../../client/story/fold-story.ts";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { campaignQuery, storyQuery, type ToldStory } from "../../../api/campaigns.ts";
import { heardSince, useFeed, useLiveState } from "../../../live/feed.ts";
import type { FeedEvent } from "../../../live/feed-protocol.ts";
import { placeOfState } from "../states.ts";
import { growStory, type LiveStory } from "./live-story.ts";
import { useContacts } from "./use-contacts.ts";
import { useOnceWithin } from "./use-once-within.ts";

const REFRESH_MILLIS = 500;
/** A contact's call hardly changes any field of the record that is not in the story. */
const REFRESH_AFTER_CALLS_MILLIS = 5_000;
const OF_CALLS = new Set([
  "ContactDialed",
  "ContactSucceeded",
  "ContactCallbackScheduled",
  "ContactAttemptFailed",
]);

export type StoryView = {
  readonly story: Story | null;
  /** In the order of import, those loaded so far. */
  readonly contacts: readonly ContactRecord[];
  readonly areAll: boolean;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** The campaign's story, loaded once and extended by the feed; after a missing event it is loaded again. */
export function useStory(id: string): StoryView {
  const asked = useQuery(storyQuery(id));
  const { data } = asked;
  const { contacts, areAll, error, refetch } = useContacts(id, data?.contacts ?? null);
  const places = usePlaces(contacts);
  const growing = useRef<LiveStory | null>(null);
  const [grown, setGrown] = useState<Story | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    growing.current = growStory(data, (contactId) => places.current.get(contactId));
    setGrown(growing.current.now());
  }, [data, places]);
  const load = useLoading(id, areAll);
  useFollowing(id, growing, setGrown, load);
  useUnheard(id, data);
  const failure = asked.error ?? error;
  const { refetch: again } = asked;
  return useMemo(
    () => ({
      story: grown,
      contacts,
      areAll,
      failure,
      retry: () => void Promise.all([again(), refetch()]),
    }),
    [grown, contacts, areAll, failure, again, refetch],
  );
}

/** Index of each contact in the order of import. */
function usePlaces(contacts: readonly ContactRecord[]): { readonly current: ReadonlyMap<string, number> } {
  const found = useMemo(() => new Map(contacts.map((contact, place) => [contact.id, place])), [contacts]);
  const places = useRef(found);
  places.current = found;
  return places;
}

/** Loads the story again, once the contacts of the next events are known. */
function useLoading(id: string, areAll: boolean): () => void {
  const queries = useQueryClient();
  const state = useRef({ areAll, isWanted: false });
  state.current.areAll = areAll;
  const load = useCallback(() => {
    state.current.isWanted = !state.current.areAll;
    if (state.current.areAll) void queries.invalidateQueries({ queryKey: storyQuery(id).queryKey });
  }, [queries, id]);
  useEffect(() => {
    if (areAll && state.current.isWanted) load();
  }, [areAll, load]);
  return load;
}

/** Events are folded and painted as they arrive: the stream delivers them some times a second. */
function useFollowing(
  id: string,
  growing: { readonly current: LiveStory | null },
  paint: (story: Story) => void,
  load: () => void,
): void {
  const queries = useQueryClient();
  const later = useOnceWithin();
  const listener = useCallback(
    (events: readonly FeedEvent[]) => {
      const own = events.filter(({ stream }) => stream === `campaign-${id}`);
      if (own.length === 0) return;
      const added = own.map((event) => growing.current?.add(event) ?? "gap");
      if (added.includes("next") && growing.current !== null) paint(growing.current.now());
      if (added.includes("gap")) later("load", REFRESH_MILLIS, load);
      const { queryKey } = campaignQuery(id);
      const refresh = () => void queries.invalidateQueries({ queryKey, exact: true });
      if (own.some(({ type }) => !OF_CALLS.has(type))) later("record", REFRESH_MILLIS, refresh);
      else later("record after calls", REFRESH_AFTER_CALLS_MILLIS, refresh);
    },
    [id, growing, paint, load, later, queries],
  );
  useFeed(listener);
  const live = useLiveState();
  const before = useRef(live);
  useEffect(() => {
    const { queryKey } = campaignQuery(id);
    if (live === "live" && before.current !== "live")
      void queries.invalidateQueries({ queryKey, exact: true });
    before.current = live;
  }, [live, id, queries]);
}

/**
 * A story that was requested before this page received every event may lack some: it is loaded again, unless
 * nothing can happen any more.
 */
function useUnheard(id: string, story: ToldStory | undefined): void {
  const queries = useQueryClient();
  const live = useLiveState();
  const [openedAt] = useState(() => Date.now());
  useEffect(() => {
    if (story === undefined || live !== "live" || isOver(story)) return;
    if (story.askedAt < Math.max(openedAt, heardSince()))
      void queries.invalidateQueries({ queryKey: storyQuery(id).queryKey });
  }, [story, live, openedAt, queries, id]);
}

function isOver(story: ToldStory): boolean {
  const { status, counts } = foldStory(openStory(story), Number.POSITIVE_INFINITY);
  return (status === "COMPLETED" || status === "CANCELLED") && counts[placeOfState("dialing")] === 0;
}
