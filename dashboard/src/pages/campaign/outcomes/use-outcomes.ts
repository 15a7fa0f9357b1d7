import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { WholeCampaign } from "../../../../../contract/campaign.ts";
import { campaignQuery } from "../../../api/campaigns.ts";
import { useFeed } from "../../../live/feed.ts";
import type { FeedEvent } from "../../../live/feed-protocol.ts";
import { useOnceWithin } from "../story/use-once-within.ts";
import { contactOutcomesKey, contactOutcomesQuery, outcomesQuery } from "./outcome-queries.ts";
import type { ContactOutcomes } from "./wanted.ts";

type CampaignOutcomes = NonNullable<WholeCampaign["statistics"]["outcomes"]>;

export type Brought = {
  /** At the selected moment; null: still being loaded, or counted anew. */
  readonly figures: CampaignOutcomes | null;
  /** By id of the contact; null: still being loaded. */
  readonly contacts: ContactOutcomes | null;
  readonly failure: unknown;
  readonly retry: () => void;
};

/** A moment is asked for when the slider has rested so long. */
const REST_MILLIS = 400;
const REFRESH_MILLIS = 2_000;
/** All contacts are read again: the more there are, the rarer. */
const REFRESH_CONTACT_MILLIS = 3;
const CHANGES = new Set(["CallAnalysed", "CallContentErased"]);

/**
 * What the calls of a campaign brought home by `at` (ms since 1970; null: now). null: no call was
 * analysed, and nothing is asked for.
 */
export function useOutcomes(record: WholeCampaign, at: number | null): Brought | null {
  const { campaign, statistics } = record;
  const { id, totalContacts } = campaign;
  const now = statistics.outcomes ?? null;
  const isThere = now !== null && now.analysed > 0;
  const rested = useRested(at);
  const wanted = rested === null ? undefined : new Date(rested).toISOString();
  const then = useQuery(outcomesQuery(id, isThere ? wanted : undefined));
  const contacts = useQuery(contactOutcomesQuery(id, wanted, isThere ? totalContacts : 0));
  useRefreshed(id, totalContacts);
  if (!isThere) return null;
  const isRested = rested === at;
  return {
    figures: at === null ? now : isRested ? (then.data ?? null) : null,
    contacts: isRested ? (contacts.data ?? null) : null,
    failure: then.error ?? contacts.error,
    retry: () => void Promise.all([wanted === undefined ? null : then.refetch(), contacts.refetch()]),
  };
}

function useRested(at: number | null): number | null {
  const [rested, setRested] = useState(at);
  useEffect(() => {
    if (at === null) return setRested(null);
    const timer = setTimeout(() => setRested(at), REST_MILLIS);
    return () => clearTimeout(timer);
  }, [at]);
  return rested;
}

/** No event of a campaign says that a call of it was analysed: those of all calls are listened to. */
function useRefreshed(id: string, totalContacts: number): void {
  const queries = useQueryClient();
  const later = useOnceWithin();
  useFeed(
    useCallback(
      (events: readonly FeedEvent[]) => {
        if (!events.some(({ type }) => CHANGES.has(type))) return;
        const again = (queryKey: readonly unknown[], exact: boolean) => () =>
          void queries.invalidateQueries({ queryKey, exact });
        later("figures", REFRESH_MILLIS, again(campaignQuery(id).queryKey, true));
        const millis = Math.max(REFRESH_MILLIS, totalContacts * REFRESH_CONTACT_MILLIS);
        later("contacts", millis, again(contactOutcomesKey(id), false));
      },
      [queries, id, totalContacts, later],
    ),
  );
}
