import { ALL_KINDS } from "../../../../domain/webhook/kinds.ts";
import { Filters } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Choice } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { shortened } from "../../ui/short-id.tsx";
import { en } from "./en.ts";
import { deliverySearchOf, type Filter, STATUSES } from "./search.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
type FiltersProps = { readonly filter: Filter; readonly onFilter: (filter: Filter) => void };

export function DeliveryFilters({ filter, onFilter }: FiltersProps) {
  const say = useTexts(TEXTS);
  const apply = ({ target: { form } }: { readonly target: HTMLSelectElement }) => {
    if (form !== null) onFilter(deliverySearchOf(Object.fromEntries(new FormData(form))));
  };
  return (
    <Filters chosen={Object.values({ ...filter, id: undefined }).filter(Boolean).length}>
      <form className={layout.row}>
        <Choice label={say("filter.event")} name="event" defaultValue={filter.event ?? ""} onChange={apply}>
          <option value="">{say("filter.any")}</option>
          {ALL_KINDS.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Choice>
        <Choice
          label={say("filter.status")}
          name="status"
          defaultValue={filter.status ?? ""}
          onChange={apply}
        >
          <option value="">{say("filter.any")}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {say(`status.${status}`)}
            </option>
          ))}
        </Choice>
        <CallChoice chosen={filter.callId ?? ""} onChange={apply} />
      </form>
    </Filters>
  );
}

const RECENT = { limit: 50 } as const;

type CallChoiceProps = {
  readonly chosen: string;
  readonly onChange: (event: { readonly target: HTMLSelectElement }) => void;
};

/** The latest calls by number and time; an earlier one comes by the link of its page. */
function CallChoice({ chosen, onChange }: CallChoiceProps) {
  const say = useTexts(TEXTS);
  const { moment } = useFormat();
  const { rows } = useList("/api/v1/calls", { query: RECENT, enabled: useAllowed()("calls:read") });
  return (
    <Choice label={say("filter.call")} name="callId" value={chosen} onChange={onChange}>
      <option value="">{say("filter.any")}</option>
      {chosen === "" || rows.some(({ id }) => id === chosen) ? null : (
        <option value={chosen} data-user-text="">
          {shortened(chosen)}
        </option>
      )}
      {rows.map(({ id, to, createdAt }) => (
        <option key={id} value={id}>
          {to} · {moment(createdAt)}
        </option>
      ))}
    </Choice>
  );
}
