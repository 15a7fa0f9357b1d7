import type { HistoryRecord } from "../../../contract/history.ts";

/** What the pages use of an event. */
export type FeedEvent = Omit<HistoryRecord, "correlationId" | "causationId" | "actor">;

export type LiveState = "live" | "connecting" | "offline";

/** Messages of a tab to the worker. stop: the user signed out, or in as another one. */
export type ToFeed = "follow" | "stop" | "leave";
export type FromFeed =
  | { readonly kind: "state"; readonly live: LiveState }
  | { readonly kind: "events"; readonly events: readonly FeedEvent[] }
  | { readonly kind: "signed_out" };
