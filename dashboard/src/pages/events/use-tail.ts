import { useCallback, useEffect, useRef, useState } from "react";
import { useFeed, useLiveState } from "../../live/feed.ts";
import type { FeedEvent } from "../../live/feed-protocol.ts";

const PAINTED_AT_MOST_EVERY_MILLIS = 120;
/** With more, the list is loaded again, which then has them all. */
const KEPT = 200;

type Tail = { readonly shown: readonly FeedEvent[]; readonly waiting: readonly FeedEvent[] };
const NONE: Tail = { shown: [], waiting: [] };
const NO_EVENTS: readonly FeedEvent[] = [];

/**
 * New events, newest first, that the list below does not have yet. While `held` they wait, so that the text
 * being read does not move. After that, and when they are many, `refetch` loads them into the list.
 */
export function useTail(held: boolean, refetch: () => Promise<unknown>): Tail {
  const [tail, setTail] = useState(NONE);
  const now = useRef({ held, refetch, came: NO_EVENTS, isFetching: false });
  now.current.held = held;
  now.current.refetch = refetch;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const live = useLiveState();
  // Events from before the stream was open were not received here.
  useEffect(() => {
    if (live === "live") void now.current.refetch();
  }, [live]);
  useFeed(
    useCallback((events) => {
      now.current.came = [...now.current.came, ...events];
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const came = now.current.came.toReversed();
        now.current.came = NO_EVENTS;
        const add = (to: readonly FeedEvent[]) => [...came, ...to];
        setTail(({ shown, waiting }) =>
          now.current.held ? { shown, waiting: add(waiting).slice(0, KEPT) } : { shown: add(shown), waiting },
        );
      }, PAINTED_AT_MOST_EVERY_MILLIS);
    }, []),
  );
  const isDue = !held && (tail.waiting.length > 0 || tail.shown.length > KEPT);
  useEffect(() => {
    if (!isDue || now.current.isFetching) return;
    now.current.isFetching = true;
    const before = new Set(tail.shown);
    void now.current.refetch().finally(() => {
      now.current.isFetching = false;
      setTail(({ shown }) => ({ shown: shown.filter((event) => !before.has(event)), waiting: [] }));
    });
  }, [isDue, tail.shown]);
  return tail;
}
