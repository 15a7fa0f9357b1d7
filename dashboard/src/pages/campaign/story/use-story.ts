import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Story } from "../../../../../client/story/fold-story.ts";
import { type Contact, campaignQuery, contactsQuery, storyQuery } from "../../../api/campaigns.ts";
import { useFeed, useLiveState } from "../../../live/feed.ts";
import type { FeedEvent } from "../../../live/feed-protocol.ts";
import { growStory, type LiveStory } from "./live-story.ts";

const PAINT_MILLIS = 120;
const REFRESH_MILLIS = 500;

export type StoryView = {
  readonly story: Story | null;
  /** null: they are being loaded. */
  readonly contacts: readonly Contact[] | null;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** The campaign's story, loaded once and grown by the feed; where an event is missing it is loaded again. */
export function useStory(id: string): StoryView {
  const told = useQuery(storyQuery(id));
  const people = useQuery(contactsQuery(id, told.data?.contacts ?? 0));
  const contacts = people.data ?? null;
  const growing = useRef<LiveStory | null>(null);
  const [grown, setGrown] = useState<Story | null>(null);
  const { data } = told;
  useEffect(() => {
    if (data === undefined) return;
    const places = new Map(contacts?.map((contact, place) => [contact.id, place]));
    growing.current = growStory(data, (contactId) => places.get(contactId));
    setGrown(growing.current.now());
  }, [data, contacts]);
  useFollowing(id, growing, setGrown);
  const shown = contacts !== null && contacts.length === data?.contacts ? contacts : null;
  const failure = told.error ?? people.error;
  return useMemo(
    () => ({
      story: grown,
      contacts: shown,
      failure,
      retry: () => void Promise.all([told.refetch(), people.refetch()]),
    }),
    [grown, shown, failure, told.refetch, people.refetch],
  );
}

/** Events are folded as they come and painted some times a second. */
function useFollowing(
  id: string,
  growing: { readonly current: LiveStory | null },
  paint: (story: Story) => void,
): void {
  const queries = useQueryClient();
  const later = useOnceWithin();
  const listener = useCallback(
    (events: readonly FeedEvent[]) => {
      const own = events.filter(({ stream }) => stream === `campaign-${id}`);
      if (own.length === 0) return;
      const told = own.map((event) => growing.current?.add(event) ?? "gap");
      if (told.includes("next"))
        later("paint", PAINT_MILLIS, () => growing.current !== null && paint(growing.current.now()));
      if (told.includes("gap"))
        later(
          "load",
          REFRESH_MILLIS,
          () => void queries.invalidateQueries({ queryKey: storyQuery(id).queryKey }),
        );
      later(
        "record",
        REFRESH_MILLIS,
        () => void queries.invalidateQueries({ queryKey: campaignQuery(id).queryKey, exact: true }),
      );
    },
    [id, growing, paint, later, queries],
  );
  useFeed(listener);
  const live = useLiveState();
  const before = useRef(live);
  useEffect(() => {
    // What happened between the story and the beginning of the stream.
    if (live === "live" && before.current !== "live") {
      void queries.invalidateQueries({ queryKey: storyQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: campaignQuery(id).queryKey, exact: true });
    }
    before.current = live;
  }, [live, id, queries]);
}

/** Does what it is given once after a while, however often it is asked meanwhile. */
function useOnceWithin() {
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const { current } = timers;
    return () => {
      for (const timer of current.values()) clearTimeout(timer);
      current.clear();
    };
  }, []);
  return useCallback((what: string, millis: number, todo: () => void) => {
    if (timers.current.has(what)) return;
    const done = () => {
      timers.current.delete(what);
      todo();
    };
    timers.current.set(what, setTimeout(done, millis));
  }, []);
}
