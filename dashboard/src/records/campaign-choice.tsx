import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { get } from "../api/request.ts";
import { useTexts } from "../texts/language.tsx";
import { Choice } from "../ui/controls.tsx";
import { useAllowed } from "./use-allowed.ts";
import { ALL } from "./use-list.ts";

type Names = ReadonlyMap<string, string>;
const NO_NAMES: Names = new Map();

/** Names of campaigns by id, newest first, as far as the key may read them; 200 at most. */
export function useCampaignNames(): Names {
  const enabled = useAllowed()("campaigns:read");
  const select = useCallback(
    (campaigns: readonly { readonly id: string; readonly name: string }[]): Names =>
      new Map(campaigns.map(({ id, name }) => [id, name])),
    [],
  );
  const { data = NO_NAMES } = useQuery({
    queryKey: ["campaigns", "names"],
    queryFn: ({ signal }) => get("/api/v1/campaigns", { query: ALL, signal }),
    select,
    enabled,
  });
  return data;
}

type CampaignChoiceProps = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly choose: (id: string) => void;
};

/** Chooses a campaign by its name. An id of something else, from a link, stays an option. */
export function CampaignChoice({ label, name, value, choose }: CampaignChoiceProps) {
  const say = useTexts();
  const names = useCampaignNames();
  return (
    <Choice label={label} name={name} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="">{say("list.all")}</option>
      {value === "" || names.has(value) ? null : <option data-user-text="">{value}</option>}
      {[...names].map(([id, called]) => (
        <option key={id} value={id} data-user-text="">
          {called}
        </option>
      ))}
    </Choice>
  );
}
