import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useFeed, useLiveState } from "../live/feed.ts";
import type { FeedEvent } from "../live/feed-protocol.ts";

const AT_MOST_EVERY_MILLIS = 800;

type RefreshOptions = {
  readonly held?: boolean;
  readonly onHeld?: () => void;
  /** At most once in so many ms. */
  readonly every?: number;
};

/**
 * Reloads queries that begin with `path` when an event concerns them; not more often than
 * a reader can follow.
 */
export function useRefresh(
  path: string,
  concerns: (event: FeedEvent) => boolean,
  { held = false, onHeld = () => undefined, every = AT_MOST_EVERY_MILLIS }: RefreshOptions = {},
): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const now = useRef({ concerns, held, onHeld });
  now.current = { concerns, held, onHeld };
  useEffect(() => () => clearTimeout(timer.current), []);
  const live = useLiveState();
  // Events from before the stream was open, or while this page was not, were not received here.
  useEffect(() => {
    if (live === "live") void queries.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false });
  }, [queries, path, live]);
  useFeed(
    useCallback(
      (events) => {
        if (!events.some((event) => now.current.concerns(event))) return;
        if (now.current.held) return now.current.onHeld();
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          void queries.invalidateQueries({ queryKey: [path] }, { cancelRefetch: false });
        }, every);
      },
      [queries, path, every],
    ),
  );
}
