import { CALL_STATUSES } from "../../records/call.ts";
import { CampaignChoice } from "../../records/campaign-choice.tsx";
import { Bar, Filters } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { type Search, useSearch } from "../../records/use-search.ts";
import { numberIn } from "../../shell/palette/hits.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Field } from "../../ui/controls.tsx";
import { TEXTS } from "./words.tsx";

const NAMES = ["status", "to", "campaignId", "from", "until", "success", "outcome", "value"] as const;

const TRUTHS = ["true", "false"] as const;
const OUTCOME = /^[a-z][A-Za-z0-9_]{0,39}$/;
const instant = (text = "") => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString());

/** The API's filter from the URL; incomplete values are left out. */
export function wantedOf(search: Search) {
  const { status, to = "", campaignId, from, until, success, outcome = "", value = "" } = search;
  return {
    status: CALL_STATUSES.find((each) => each === status),
    to: numberIn(to) ?? undefined,
    campaignId,
    from: instant(from),
    until: instant(until),
    success: TRUTHS.find((each) => each === success),
    ...(OUTCOME.test(outcome) && value !== "" ? { [`outcome.${outcome}`]: value } : {}),
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
        <OutcomeFilters search={search} change={change} />
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

type OutcomeFiltersProps = { readonly search: Search; readonly change: (search: Search) => void };

/** What calls brought home, by the fields of the assistants; nothing where none asks for any. */
function OutcomeFilters({ search, change }: OutcomeFiltersProps) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const { rows } = useList("/api/v1/assistants", { query: ALL, enabled: useAllowed()("assistants:*") });
  const { success = "", outcome = "", value = "" } = search;
  const fields = new Map(
    rows.flatMap((row) => row.outcome?.fields ?? []).map((field) => [field.name, field]),
  );
  if (fields.size === 0 && success === "" && outcome === "") return null;
  const field = fields.get(outcome);
  const values = field?.type === "boolean" ? TRUTHS : field?.values;
  const chosen = {
    label: say("filter.value"),
    name: "value",
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ value: target.value }),
  };
  return (
    <>
      <Choice
        label={say("filter.success")}
        name="success"
        value={success}
        onChange={({ target }) => change({ success: target.value })}
      >
        <option value="">{say("all")}</option>
        <option value="true">{frame("outcome.succeeded")}</option>
        <option value="false">{frame("outcome.unsuccessful")}</option>
      </Choice>
      <Choice
        label={say("filter.outcome")}
        name="outcome"
        value={outcome}
        onChange={({ target }) => change({ outcome: target.value, value: "" })}
      >
        <option value="">{say("all")}</option>
        {[...new Set([...fields.keys(), ...(outcome === "" ? [] : [outcome])])].map((name) => (
          <option key={name} value={name} data-user-text="">
            {name}
          </option>
        ))}
      </Choice>
      {outcome === "" ? null : values === undefined ? (
        <Field {...chosen} />
      ) : (
        <Choice {...chosen}>
          <option value="">{say("all")}</option>
          {values.map((each) => (
            <option key={each} value={each} data-user-text="">
              {field?.type === "boolean" ? frame(each === "true" ? "outcome.yes" : "outcome.no") : each}
            </option>
          ))}
        </Choice>
      )}
    </>
  );
}
