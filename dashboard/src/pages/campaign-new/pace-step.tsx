import { useQuery } from "@tanstack/react-query";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Check, Field } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { limitsQuery } from "./campaign-api.ts";
import { type Draft, EVERY_DAY, zonesToOffer } from "./draft.ts";
import { en } from "./en.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
type TextOf = { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft];

export function PaceStep({ draft, change, next, back }: StepProps) {
  const say = useTexts(TEXTS);
  const { data: limits } = useQuery(limitsQuery);
  const filled = (name: TextOf) => ({
    name,
    value: draft[name],
    onChange: ({ target }: { readonly target: HTMLInputElement }) => change({ [name]: target.value }),
  });
  const whole = (name: TextOf) => ({ ...filled(name), inputMode: "numeric" as const, autoComplete: "off" });
  return (
    <StepForm title={say("step.pace")} onNext={next} onBack={back}>
      <fieldset className={layout.group}>
        <legend>{say("pace.window")}</legend>
        <p className={`${layout.small} ${layout.muted}`}>{say("pace.window_hint")}</p>
        <div className={styles.hours}>
          <Field label={say("pace.start_hour")} {...whole("callWindowStart")} />
          <Field label={say("pace.start_minute")} {...whole("callWindowStartMinute")} />
          <Field label={say("pace.end_hour")} {...whole("callWindowEnd")} />
          <Field label={say("pace.end_minute")} {...whole("callWindowEndMinute")} />
        </div>
      </fieldset>
      <Days draft={draft} change={change} />
      <div className={layout.columns}>
        <Field
          label={say("pace.excluded")}
          hint={say("pace.excluded_hint")}
          {...filled("callWindowExcludedDates")}
        />
        <Field label={say("pace.timezone")} list="campaign-zones" {...filled("timezone")} />
        <datalist id="campaign-zones">
          {zonesToOffer(Intl.supportedValuesOf("timeZone")).map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <Field
          label={say("pace.start")}
          hint={say("pace.start_hint")}
          type="datetime-local"
          {...filled("startAt")}
        />
      </div>
      <div className={layout.columns}>
        <Field
          label={say("pace.lines")}
          hint={
            limits === undefined
              ? say("pace.lines_any")
              : say("pace.lines_hint", { lines: limits.maxConcurrentCalls })
          }
          {...whole("maxConcurrentCalls")}
        />
        <Field
          label={say("pace.per_second")}
          hint={say("pace.per_second_hint")}
          {...filled("maxCallsPerSecond")}
          inputMode="decimal"
        />
        <Field label={say("pace.retries")} hint={say("pace.retries_hint")} {...whole("maxRetries")} />
        <Field
          label={say("pace.interval")}
          hint={say("pace.interval_hint")}
          {...whole("retryIntervalMins")}
        />
      </div>
    </StepForm>
  );
}

/** A date with this weekday, in the first days of a year that began on a Monday. */
const dayOf = (day: number) => new Date(Date.UTC(2024, 0, day));

function Days({ draft, change }: Pick<StepProps, "draft" | "change">) {
  const say = useTexts(TEXTS);
  const { locale } = useFormat();
  const named = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const chosen = draft.callWindowDays;
  const turn = (day: number, isOn: boolean) =>
    change({ callWindowDays: EVERY_DAY.filter((each) => (each === day ? isOn : chosen.includes(each))) });
  return (
    <fieldset className={layout.group}>
      <legend>{say("pace.days")}</legend>
      <div className={layout.choices}>
        {EVERY_DAY.map((day) => (
          <Check
            key={day}
            label={named.format(dayOf(day))}
            name="callWindowDays"
            value={day}
            checked={chosen.includes(day)}
            onChange={({ target }) => turn(day, target.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
