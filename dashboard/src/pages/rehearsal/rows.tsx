import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import layout from "../../ui/layout.module.css";
import styles from "./rehearsal.module.css";
import { TEXTS } from "./texts.ts";

type RowsProps<Row> = {
  readonly legend: string;
  /** Of the group, and of the button that adds a row: `<testid>-add`. */
  readonly testid: string;
  readonly rows: readonly Row[];
  readonly most: number;
  readonly add: string;
  readonly make: () => Row;
  readonly change: (rows: readonly Row[]) => void;
  /** The controls of a row; `next` adds the row after it. */
  readonly children: (row: Row, place: number, change: (row: Row) => void, next: () => void) => ReactNode;
};

/** Rows that come and go by mouse and keyboard; the focus goes to the new one, or to what adds the next. */
export function Rows<Row extends { readonly id: number }>(props: RowsProps<Row>) {
  const { legend, testid, rows, most, add, make, change, children } = props;
  const say = useTexts(TEXTS);
  const here = useRef<HTMLFieldSetElement>(null);
  const [wanted, setWanted] = useState<number | "add" | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    const found = wanted === "add" ? "[data-add]" : `[data-row="${wanted}"] :is(input, textarea, select)`;
    here.current?.querySelector<HTMLElement>(found)?.focus();
    setWanted(null);
  }, [wanted]);
  const isFull = rows.length >= most;
  const insert = (place: number) => {
    if (isFull) return;
    const row = make();
    change(rows.toSpliced(place, 0, row));
    setWanted(row.id);
  };
  const remove = (place: number) => {
    change(rows.toSpliced(place, 1));
    setWanted("add");
  };
  return (
    <fieldset ref={here} className={layout.group} data-testid={testid}>
      <legend>{legend}</legend>
      {rows.map((row, place) => (
        <div key={row.id} className={styles.row} data-row={row.id} data-place={place}>
          {children(
            row,
            place,
            (next) => change(rows.with(place, next)),
            () => insert(place + 1),
          )}
          <Button
            className={styles.remove}
            data-testid={`${testid}-remove`}
            aria-label={say("row.remove", { group: legend, place: place + 1 })}
            onClick={() => remove(place)}
          >
            <Icon of="close" />
          </Button>
        </div>
      ))}
      <div>
        <Button
          data-add=""
          data-testid={`${testid}-add`}
          disabled={isFull}
          onClick={() => insert(rows.length)}
        >
          {add}
        </Button>
      </div>
    </fieldset>
  );
}
