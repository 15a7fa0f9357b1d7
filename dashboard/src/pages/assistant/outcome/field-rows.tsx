import { useEffect, useRef, useState } from "react";
import type { OutcomeType } from "../../../../../domain/outcome/settings.ts";
import { Muted } from "../../../records/records.tsx";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Choice, Field, TextField } from "../../../ui/controls.tsx";
import layout from "../../../ui/layout.module.css";
import { en } from "./en.ts";
import styles from "./outcome.module.css";
import {
  changed,
  type FieldRow,
  faultAt,
  MOST_FIELDS,
  moved,
  type OutcomeDraft,
  type Refused,
  TYPES,
  withoutRow,
  withRow,
} from "./outcome-draft.ts";
import { tr } from "./tr.ts";

export type DraftProps = {
  readonly draft: OutcomeDraft;
  readonly change: (draft: OutcomeDraft) => void;
  readonly refused: Refused;
};

/** Where the focus goes once a row has come, moved or gone. */
type Wanted = { readonly rowId: number; readonly part: "name" | "up" | "down" | "remove" };

/** The fields in their order; they come, move and go by mouse and by keyboard. */
export function FieldRows({ draft, change, refused }: DraftProps) {
  const say = useTexts({ en, tr });
  const [told, setTold] = useState("");
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const here = useRef<HTMLFieldSetElement>(null);
  const { rows } = draft;
  useEffect(() => {
    if (wanted === null) return;
    const row = here.current?.querySelector(`[data-row="${wanted.rowId}"]`);
    const part = row?.querySelector<HTMLElement>(`[data-part="${wanted.part}"]:enabled`);
    // At the end of the list it cannot move further that way, and without rows one adds the next.
    const other = row?.querySelector<HTMLElement>('[data-part="up"]:enabled, [data-part="down"]:enabled');
    (part ?? other ?? here.current?.querySelector<HTMLElement>('[data-part="add"]'))?.focus();
    setWanted(null);
  }, [wanted]);
  const add = () => {
    const next = withRow(draft);
    setWanted({ rowId: next.rows.at(-1)?.id ?? 0, part: "name" });
    change(next);
  };
  const move = (place: number, rowId: number, by: -1 | 1) => {
    setWanted({ rowId, part: by === 1 ? "down" : "up" });
    setTold(say("moved", { place: place + by + 1, count: rows.length }));
    change(moved(draft, rowId, by));
  };
  const remove = (place: number, rowId: number) => {
    const next = rows[place + 1] ?? rows[place - 1];
    setWanted({ rowId: next?.id ?? -1, part: "remove" });
    setTold(say("removed", { count: rows.length - 1 }));
    change(withoutRow(draft, rowId));
  };
  return (
    <fieldset ref={here} className={layout.group} data-testid="outcome-fields">
      {rows.length === 0 ? <Muted>{say("none")}</Muted> : null}
      {rows.map((row, place) => (
        <OneField
          key={row.id}
          row={row}
          place={place}
          isLast={place === rows.length - 1}
          faultOf={(part) => faultAt(refused, row.id, part)}
          change={(by) => change(changed(draft, row.id, by))}
          move={(by) => move(place, row.id, by)}
          remove={() => remove(place, row.id)}
        />
      ))}
      <div>
        <Button data-part="add" data-testid="add-field" disabled={rows.length === MOST_FIELDS} onClick={add}>
          {say("add")}
        </Button>
      </div>
      <span role="status" className={layout.muted}>
        {told}
      </span>
    </fieldset>
  );
}

type OneFieldProps = {
  readonly row: FieldRow;
  readonly place: number;
  readonly isLast: boolean;
  readonly faultOf: (part: string) => string | undefined;
  readonly change: (by: Partial<FieldRow>) => void;
  readonly move: (by: -1 | 1) => void;
  readonly remove: () => void;
};

function OneField({ row, place, isLast, faultOf, change, move, remove }: OneFieldProps) {
  const say = useTexts({ en, tr });
  const { name, type, description, values } = row;
  const at = { place: place + 1 };
  const shared = (part: string) => ({
    label: say(
      part === "name" ? "name" : part === "type" ? "type" : part === "values" ? "values" : "description",
    ),
    name: `outcome.fields.${place}.${part}`,
    "data-part": part,
    fault: faultOf(part),
  });
  return (
    <fieldset className={styles.row} data-row={row.id} data-place={place}>
      <legend data-user-text="">
        {name === "" ? say("field", at) : say("field.named", { ...at, name })}
      </legend>
      <Field
        {...shared("name")}
        hint={say("name.hint")}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Choice
        {...shared("type")}
        value={type}
        onChange={({ target }) => change({ type: typeOf(target.value) })}
      >
        {TYPES.map((each) => (
          <option key={each} value={each}>
            {say(`type.${each}`)}
          </option>
        ))}
      </Choice>
      <TextField
        {...shared("description")}
        hint={say("description.hint")}
        rows={2}
        dir="auto"
        value={description}
        onChange={({ target }) => change({ description: target.value })}
      />
      {type === "enum" ? (
        <TextField
          {...shared("values")}
          hint={say("values.hint")}
          rows={3}
          dir="auto"
          value={values}
          onChange={({ target }) => change({ values: target.value })}
        />
      ) : null}
      <div className={styles.commands}>
        <Button data-part="up" aria-label={say("up.of", at)} disabled={place === 0} onClick={() => move(-1)}>
          {say("up")}
        </Button>
        <Button data-part="down" aria-label={say("down.of", at)} disabled={isLast} onClick={() => move(1)}>
          {say("down")}
        </Button>
        <Button look="danger" data-part="remove" aria-label={say("remove.of", at)} onClick={remove}>
          {say("remove")}
        </Button>
      </div>
    </fieldset>
  );
}

const typeOf = (text: string): OutcomeType => TYPES.find((type) => type === text) ?? "boolean";
