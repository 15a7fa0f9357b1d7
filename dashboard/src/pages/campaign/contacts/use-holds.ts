import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WholeCampaign } from "../../../../../contract/campaign.ts";
import { heldContactsQuery } from "../../../api/campaigns.ts";
import type { Holds } from "./rows.ts";

const NOBODY: Holds = new Map();

/** Of now: at a past moment (`isNow` false) nobody is told as held, and nothing is asked for. */
export function useHolds({ campaign, statistics }: WholeCampaign, isNow: boolean): Holds {
  const isAsked = isNow && (statistics.held ?? 0) > 0;
  const { data } = useQuery(heldContactsQuery(campaign.id, isAsked));
  return useMemo(
    () =>
      isAsked && data !== undefined
        ? new Map(data.flatMap(({ id, hold }) => (hold === null ? [] : [[id, hold] as const])))
        : NOBODY,
    [isAsked, data],
  );
}
