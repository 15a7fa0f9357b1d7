import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "../api/request.ts";
import { useAllowed } from "./use-allowed.ts";

/** A link to a campaign by its name (by its id if the key may not read it), with one of its contacts open. */
export function CampaignLink({ id, contact }: { readonly id: string; readonly contact?: string | null }) {
  const named = useQuery({
    queryKey: ["campaign-name", id],
    queryFn: ({ signal }) => get("/api/v1/campaigns/:id", { params: { id }, signal }),
    enabled: useAllowed()("campaigns:read"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const search = contact === undefined || contact === null ? {} : { contact };
  return (
    <Link
      to="/campaigns/$campaignId"
      params={{ campaignId: id }}
      search={search}
      data-user-text=""
      dir="auto"
    >
      {named.data?.campaign.name ?? id}
    </Link>
  );
}
