import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { campaignQuery } from "../../api/campaigns.ts";
import type { PageState } from "../../ui/page.tsx";
import { peopleFile } from "./campaign-api.ts";
import { type Draft, draftOf } from "./draft.ts";
import { readContacts } from "./read-file.ts";

type Duplicate = { readonly state: PageState; readonly failure: unknown; readonly retry: () => void };

/** Fills the draft with a campaign and its people, once; `from`: its id. */
export function useDuplicate(from: string | undefined, fill: (draft: Draft) => void): Duplicate {
  const campaign = useQuery({ ...campaignQuery(from ?? ""), enabled: from !== undefined });
  const record = campaign.data?.campaign;
  const { data, error, refetch } = useQuery({
    queryKey: ["duplicate", from],
    queryFn: async ({ signal }) => {
      if (record === undefined) return null;
      const file = await peopleFile(record.id, record.name, signal);
      return draftOf(record, file, await readContacts(file));
    },
    enabled: record !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed afterwards stays
  useEffect(() => {
    if (data !== undefined && data !== null) fill(data);
  }, [data]);
  const failure = campaign.error ?? error;
  const isLoading = from !== undefined && (data === undefined || data === null);
  return {
    state: failure !== null ? "error" : isLoading ? "loading" : "ready",
    failure,
    retry: () => void (campaign.error === null ? refetch() : campaign.refetch()),
  };
}
