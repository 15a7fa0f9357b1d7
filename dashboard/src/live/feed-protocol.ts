/** An event in its public form. */
export type FeedEvent = {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
};

export type LiveState = "live" | "connecting" | "offline";

/** Messages of a tab to the worker. stop: the user signed out, or in as another one. */
export type ToFeed = "follow" | "stop" | "leave";
export type FromFeed =
  | { readonly kind: "state"; readonly live: LiveState }
  | { readonly kind: "events"; readonly events: readonly FeedEvent[] }
  | { readonly kind: "signed_out" };
