import type { FormEvent } from "react";
import { ALL_KINDS } from "../../../../domain/webhook/kinds.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Field } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { deliverySearchOf, type Filter, STATUSES } from "./search.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
type FiltersProps = { readonly filter: Filter; readonly onFilter: (filter: Filter) => void };

export function DeliveryFilters({ filter, onFilter }: FiltersProps) {
  const say = useTexts(TEXTS);
  const read = (form: HTMLFormElement) => onFilter(deliverySearchOf(Object.fromEntries(new FormData(form))));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    read(event.currentTarget);
  };
  const apply = ({ target }: { readonly target: HTMLSelectElement }) => {
    if (target.form !== null) read(target.form);
  };
  return (
    <form className={layout.row} onSubmit={submit}>
      <Choice label={say("filter.event")} name="event" defaultValue={filter.event ?? ""} onChange={apply}>
        <option value="">{say("filter.any")}</option>
        {ALL_KINDS.map((kind) => (
          <option key={kind}>{kind}</option>
        ))}
      </Choice>
      <Choice label={say("filter.status")} name="status" defaultValue={filter.status ?? ""} onChange={apply}>
        <option value="">{say("filter.any")}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {say(`status.${status}`)}
          </option>
        ))}
      </Choice>
      <Field
        label={say("filter.call")}
        name="callId"
        dir="ltr"
        maxLength={64}
        defaultValue={filter.callId ?? ""}
      />
      <Button type="submit">{say("filter.apply")}</Button>
    </form>
  );
}
