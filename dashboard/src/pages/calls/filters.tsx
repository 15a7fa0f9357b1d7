import { CALL_STATUSES } from "../../records/call.ts";
import { CampaignChoice } from "../../records/campaign-choice.tsx";
import { Bar, Filters } from "../../records/records.tsx";
import { type Search, useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Field } from "../../ui/controls.tsx";
import { TEXTS } from "./words.tsx";

const NAMES = ["status", "to", "campaignId", "from", "until"] as const;

const NUMBER = /^\+[1-9]\d{6,14}$/;
const instant = (text = "") => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString());

/** The API's filter from the URL; incomplete values are left out. */
export function wantedOf({ status, to = "", campaignId, from, until }: Search) {
  return {
    status: CALL_STATUSES.find((each) => each === status),
    to: NUMBER.test(to) ? to : undefined,
    campaignId,
    from: instant(from),
    until: instant(until),
  };
}

/** Filters are in the URL, so that the view can be shared. */
export function CallFilters() {
  const say = useTexts(TEXTS);
  const [search, change] = useSearch();
  const field = (name: (typeof NAMES)[number]) => ({
    name,
    value: search[name] ?? "",
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ [name]: target.value }),
  });
  const chosen = NAMES.filter((name) => (search[name] ?? "") !== "").length;
  return (
    <Filters chosen={chosen}>
      <Bar>
        <Choice label={say("filter.status")} {...field("status")}>
          <option value="">{say("all")}</option>
          {CALL_STATUSES.map((status) => (
            <option key={status} value={status}>
              {say(`status.${status}`)}
            </option>
          ))}
        </Choice>
        <Field label={say("filter.to")} placeholder="+905321112233" inputMode="tel" {...field("to")} />
        <CampaignChoice
          label={say("filter.campaign")}
          name="campaignId"
          value={search["campaignId"] ?? ""}
          choose={(campaignId) => change({ campaignId })}
        />
        <Field label={say("filter.from")} type="datetime-local" {...field("from")} />
        <Field label={say("filter.until")} type="datetime-local" {...field("until")} />
        {chosen === 0 ? null : (
          <div>
            <Button onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, ""])))}>
              {say("clear")}
            </Button>
          </div>
        )}
      </Bar>
    </Filters>
  );
}
