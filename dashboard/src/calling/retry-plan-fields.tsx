import { type ReactNode, useEffect, useRef, useState } from "react";
import { EndReason } from "../pages/calls/words.tsx";
import { useTexts } from "../texts/language.tsx";
import { Button, Check, Chips, Field } from "../ui/controls.tsx";
import layout from "../ui/layout.module.css";
import styles from "./calling.module.css";
import { type CallingDraft, isAnyTime } from "./calling-draft.ts";
import { en } from "./en.ts";
import { endsLeft, MOST_ROWS, PLANNED_ENDS, type PlanRow, withRow } from "./plan-draft.ts";
import { tr } from "./tr.ts";

type PlanProps = {
  readonly draft: CallingDraft;
  readonly change: (changed: Partial<CallingDraft>) => void;
  /** Why the service refused a control, by its name. */
  readonly faultOf: (name: string) => ReactNode;
};

/** When people are called again by how their call ended: rows that come and go. */
export function RetryPlanFields({ draft, change, faultOf }: PlanProps) {
  const say = useTexts({ en, tr });
  const { retryPlan: rows, retryOn } = draft;
  const [added, setAdded] = useState<number | null>(null);
  const adding = useRef<HTMLDivElement>(null);
  const set = (retryPlan: readonly PlanRow[]) => change({ retryPlan });
  const add = () => {
    const more = withRow(rows, retryOn);
    setAdded(more.at(-1)?.id ?? null);
    set(more);
  };
  const remove = (id: number) => {
    set(rows.filter((row) => row.id !== id));
    adding.current?.querySelector("button")?.focus();
  };
  const fault = faultOf("retryPlan");
  return (
    <fieldset className={layout.group} data-testid="retry-plan">
      <legend>{say("plan")}</legend>
      <p className={layout.muted}>{say(rows.length === 0 ? "plan.none" : "plan.others")}</p>
      {rows.map((row, place) => (
        <Row
          key={row.id}
          place={place}
          row={row}
          draft={draft}
          isNew={row.id === added}
          faultOf={(name) => faultOf(`retryPlan.${place}.${name}`)}
          change={(changed) => set(rows.map((each) => (each.id === row.id ? { ...each, ...changed } : each)))}
          remove={() => remove(row.id)}
        />
      ))}
      {fault === undefined || fault === null ? null : (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
      <div ref={adding}>
        <Button name="retryPlan" disabled={rows.length === MOST_ROWS} data-testid="add-row" onClick={add}>
          {say("plan.add")}
        </Button>
      </div>
    </fieldset>
  );
}

type RowProps = {
  readonly place: number;
  readonly row: PlanRow;
  readonly draft: CallingDraft;
  readonly isNew: boolean;
  readonly faultOf: PlanProps["faultOf"];
  readonly change: (changed: Partial<PlanRow>) => void;
  readonly remove: () => void;
};

function Row({ place, row, draft, isNew, faultOf, change, remove }: RowProps) {
  const say = useTexts({ en, tr });
  const shown = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that was added, once
  useEffect(() => {
    if (isNew) shown.current?.querySelector("input")?.focus();
  }, []);
  const { endReasons, afterMins, isLaterDay } = row;
  const left = endsLeft(draft.retryPlan, draft.retryOn);
  const offered = PLANNED_ENDS.filter((end) => endReasons.includes(end) || left.includes(end));
  const turn = (end: string, isOn: boolean) =>
    change({ endReasons: isOn ? [...endReasons, end] : endReasons.filter((each) => each !== end) });
  const name = (part: string) => `retryPlan.${place}.${part}`;
  const needsHours = isLaterDay && isAnyTime(draft) ? say("plan.needs-hours") : undefined;
  const problem = faultOf("endReasons") ?? faultOf("sameDay") ?? needsHours;
  return (
    <fieldset ref={shown} className={styles.row} data-row={place}>
      <legend>{say("plan.row", { row: place + 1 })}</legend>
      <Chips label={say("plan.ends")}>
        {offered.map((end) => (
          <Check
            key={end}
            label={<EndReason endReason={end} />}
            name={name("endReasons")}
            value={end}
            checked={endReasons.includes(end)}
            onChange={({ target }) => turn(end, target.checked)}
          />
        ))}
      </Chips>
      <Field
        label={say("plan.minutes")}
        hint={say("plan.minutes.hint")}
        name={name("afterMins")}
        autoComplete="off"
        value={afterMins}
        onChange={({ target }) => change({ afterMins: target.value })}
        fault={faultOf("afterMins") ?? undefined}
      />
      <Check
        label={say("plan.later-day")}
        name={name("sameDay")}
        checked={isLaterDay}
        onChange={({ target }) => change({ isLaterDay: target.checked })}
      />
      {problem === undefined ? null : (
        <p role="alert" className={styles.fault}>
          {problem}
        </p>
      )}
      <Button data-testid="remove-row" onClick={remove}>
        {say("plan.remove", { row: place + 1 })}
      </Button>
    </fieldset>
  );
}
