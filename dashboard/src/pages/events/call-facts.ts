import { useMemo } from "react";
import type { FeedEvent } from "../../live/feed-protocol.ts";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";

/** Whom a call was to, and for which campaign; null: it was a single call. */
export type CallFacts = { readonly number: string; readonly campaignId: string | null };

/**
 * What the events of a call do not repeat: from those among these events that say it, else from the newest
 * 200 calls. The function answers null for an event of no call, and of one that is too old.
 */
export function useCallFacts(events: readonly FeedEvent[]): (event: FeedEvent) => CallFacts | null {
  const { rows } = useList("/api/v1/calls", { query: ALL, enabled: useAllowed()("calls:read") });
  const facts = useMemo(() => {
    const known = new Map<string, CallFacts>(
      rows.map(({ callId, to, campaignId }) => [callId, { number: to, campaignId }]),
    );
    for (const { type, data } of events) {
      const number = type === "CallRequested" ? data["to"] : data["phoneNumber"];
      const { callId, campaignId = null } = data;
      if (typeof callId === "string" && typeof number === "string")
        known.set(callId, { number, campaignId: campaignId === null ? null : String(campaignId) });
    }
    return known;
  }, [rows, events]);
  return ({ stream, data }) =>
    facts.get(String(data["callId"] ?? stream.slice(stream.indexOf("-") + 1))) ?? null;
}
