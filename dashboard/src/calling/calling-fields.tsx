import type { ReactNode } from "react";
import { EndReason } from "../pages/calls/words.tsx";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.tsx";
import { Check, Chips, Field } from "../ui/controls.tsx";
import layout from "../ui/layout.module.css";
import styles from "./calling.module.css";
import { type CallingDraft, EVERY_DAY, faultOfHours, RETRIED_ENDS } from "./calling-draft.ts";
import { en } from "./en.ts";
import { weekdays } from "./hours-sentence.ts";
import { withoutEnd } from "./plan-draft.ts";
import { RetryPlanFields } from "./retry-plan-fields.tsx";
import { tr } from "./tr.ts";
import { useHours } from "./use-hours.ts";
import { zonesToOffer } from "./zones.ts";

const TEXTS = { en, tr };

export type CallingFieldsProps = {
  readonly draft: CallingDraft;
  readonly change: (changed: Partial<CallingDraft>) => void;
  /** Why the service refused a field, by the name of its control (`controlOf`). */
  readonly faultOf: (name: string) => ReactNode;
  /** Lines of the plan; undefined: not known. */
  readonly lines: number | undefined;
  readonly hasOwnZones: boolean;
  /** What is there already is being changed. */
  readonly isChange?: boolean;
  /** Whether it may still be said when it starts by itself. */
  readonly hasStart?: boolean;
};

type TextOf = { [K in keyof CallingDraft]: CallingDraft[K] extends string ? K : never }[keyof CallingDraft];

/** When and how fast people are called, and who is called again. */
export function CallingFields(props: CallingFieldsProps) {
  const { draft, change, faultOf, lines, isChange = false, hasStart = true } = props;
  const say = useTexts(TEXTS);
  const filled = (name: TextOf) => ({
    name,
    value: draft[name],
    fault: faultOf(name) ?? undefined,
    onChange: ({ target }: { readonly target: HTMLInputElement }) => change({ [name]: target.value }),
  });
  const whole = (name: TextOf) => ({ ...filled(name), inputMode: "numeric" as const, autoComplete: "off" });
  return (
    <>
      <Window {...props} />
      <div className={layout.columns}>
        <Field label={say("excluded")} hint={say("excluded.hint")} {...filled("callWindowExcludedDates")} />
        {hasStart ? (
          <Field label={say("start")} hint={say("start.hint")} type="datetime-local" {...filled("startAt")} />
        ) : null}
      </div>
      <h3>{say("pace")}</h3>
      <div className={layout.columns}>
        <Field
          label={say("lines")}
          hint={lines === undefined ? say("lines.any") : say("lines.hint", { lines })}
          {...whole("maxConcurrentCalls")}
        />
        <Field
          label={say("per-second")}
          hint={say(isChange ? "per-second.kept" : "per-second.hint")}
          {...filled("maxCallsPerSecond")}
          inputMode="decimal"
        />
      </div>
      <h3>{say("again")}</h3>
      <RetryOn draft={draft} change={change} />
      <div className={layout.columns}>
        <Field label={say("retries")} hint={say("retries.hint")} {...whole("maxRetries")} />
        <Field label={say("interval")} hint={say("interval.hint")} {...whole("retryIntervalMins")} />
      </div>
      <RetryPlanFields draft={draft} change={change} faultOf={faultOf} />
    </>
  );
}

function Window({ draft, change, faultOf, hasOwnZones }: CallingFieldsProps) {
  const say = useTexts(TEXTS);
  const hours = useHours();
  const fault = faultOfHours(draft);
  const clock = (field: "callWindowStart" | "callWindowEnd", label: string) => (
    <Field
      label={label}
      name={field}
      type="time"
      required
      disabled={draft.isAnyHour}
      value={draft[field]}
      onChange={({ target }) => change({ [field]: target.value })}
      fault={faultOf(field) ?? undefined}
    />
  );
  return (
    <fieldset className={layout.group}>
      <legend>{say("window")}</legend>
      <DayChips
        name="callWindowDays"
        chosen={draft.callWindowDays}
        onChange={(callWindowDays) => change({ callWindowDays })}
      />
      <div className={styles.hours}>
        {clock("callWindowStart", say("from"))}
        {clock("callWindowEnd", say("to"))}
        <Field
          label={say("timezone")}
          list="campaign-zones"
          name="timezone"
          value={draft.timezone}
          onChange={({ target }) => change({ timezone: target.value })}
          {...(hasOwnZones ? { hint: say("timezone.own") } : {})}
          fault={faultOf("timezone") ?? undefined}
        />
        <datalist id="campaign-zones">
          {zonesToOffer(Intl.supportedValuesOf("timeZone")).map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <Check
        label={say("any-hour")}
        name="anyHour"
        checked={draft.isAnyHour}
        onChange={({ target }) => change({ isAnyHour: target.checked })}
      />
      {fault === null ? (
        <p className={draft.isAnyHour ? styles.night : styles.said} role="status" data-testid="hours">
          {hours(draft, hasOwnZones)}
        </p>
      ) : (
        <p role="alert" className={styles.fault}>
          {say(fault)}
        </p>
      )}
    </fieldset>
  );
}

type DayChipsProps = {
  readonly name: string;
  /** ISO weekdays. */
  readonly chosen: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
};

/** The days of a week, each a chip. */
export function DayChips({ name, chosen, onChange }: DayChipsProps) {
  const say = useTexts(TEXTS);
  const { locale } = useFormat();
  const nameOf = weekdays(locale);
  const turn = (day: number, isOn: boolean) =>
    onChange(EVERY_DAY.filter((each) => (each === day ? isOn : chosen.includes(each))));
  return (
    <Chips label={say("days")}>
      {EVERY_DAY.map((day) => (
        <Check
          key={day}
          label={nameOf(day)}
          name={name}
          value={day}
          checked={chosen.includes(day)}
          onChange={({ target }) => turn(day, target.checked)}
        />
      ))}
    </Chips>
  );
}

function RetryOn({ draft, change }: Pick<CallingFieldsProps, "draft" | "change">) {
  const say = useTexts(TEXTS);
  const { retryOn, retryPlan } = draft;
  const turn = (end: string, isOn: boolean) =>
    change(
      isOn
        ? { retryOn: [...retryOn, end] }
        : { retryOn: retryOn.filter((each) => each !== end), retryPlan: withoutEnd(retryPlan, end) },
    );
  return (
    <fieldset className={layout.group}>
      <legend>{say("retry-on")}</legend>
      <Chips>
        {RETRIED_ENDS.map((end) => (
          <Check
            key={end}
            label={<EndReason endReason={end} />}
            name="retryOn"
            value={end}
            checked={retryOn.includes(end)}
            onChange={({ target }) => turn(end, target.checked)}
          />
        ))}
      </Chips>
    </fieldset>
  );
}
