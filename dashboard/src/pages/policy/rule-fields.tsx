import type { ReactNode } from "react";
import type { HoursDraft } from "../../calling/calling-draft.ts";
import { DayChips } from "../../calling/calling-fields.tsx";
import type { Rule as RuleName } from "../../policy/sentences.ts";
import { useTexts } from "../../texts/language.tsx";
import { Check, Field } from "../../ui/controls.tsx";
import styles from "./policy.module.css";
import type { PolicyDraft } from "./policy-draft.ts";
import { TEXTS } from "./texts.ts";
import { TryAddress } from "./try-address.tsx";

type RuleProps = {
  readonly draft: PolicyDraft;
  readonly change: (changed: Partial<PolicyDraft>) => void;
  /** Why the service refused a field, by the name of its control. */
  readonly faultOf: (name: string) => string | undefined;
};

/** All rules, in the order in which a policy is told. */
export function RuleFields(props: RuleProps) {
  const { draft, change } = props;
  return (
    <>
      <Hours {...props} />
      <Attempts {...props} />
      <Rule
        name="oneCallAtATime"
        isOn={draft.oneCallAtATime}
        turn={(oneCallAtATime) => change({ oneCallAtATime })}
      />
      <Rule
        name="requireConsent"
        isOn={draft.requireConsent}
        turn={(requireConsent) => change({ requireConsent })}
      />
      <ListAge {...props} />
      <Eligibility {...props} />
      <Rule
        name="exceptSingleCalls"
        isOn={draft.exceptSingleCalls}
        turn={(exceptSingleCalls) => change({ exceptSingleCalls })}
      />
    </>
  );
}

/** A sentence that is on or off; what it needs to know stands below it, and is the API's field then. */
function Rule({
  name,
  isOn,
  turn,
  children,
}: {
  readonly name: RuleName;
  readonly isOn: boolean;
  readonly turn: (isOn: boolean) => void;
  readonly children?: ReactNode;
}) {
  const say = useTexts(TEXTS);
  return (
    <div className={styles.rule} data-rule={name} data-on={isOn}>
      <Check
        label={say(`rule.${name}`)}
        name={children === undefined ? name : `${name}.on`}
        checked={isOn}
        onChange={({ target }) => turn(target.checked)}
      />
      {isOn && children !== undefined ? <div className={styles.needs}>{children}</div> : null}
    </div>
  );
}

function Hours({ draft: { hasHours, hours }, change, faultOf }: RuleProps) {
  const say = useTexts(TEXTS);
  const type = (changed: Partial<HoursDraft>) => change({ hours: { ...hours, ...changed } });
  const clock = (name: "start" | "end", field: "callWindowStart" | "callWindowEnd") => (
    <Field
      label={say(`hours.${name}`)}
      name={`callableHours.${name}`}
      type="time"
      required
      disabled={hours.isAnyHour}
      value={hours[field]}
      onChange={({ target }) => type({ [field]: target.value })}
      fault={faultOf(`callableHours.${name}`)}
    />
  );
  const ofDays = faultOf("callableHours.days");
  return (
    <Rule name="callableHours" isOn={hasHours} turn={(isOn) => change({ hasHours: isOn })}>
      <DayChips
        name="callableHours.days"
        chosen={hours.callWindowDays}
        onChange={(callWindowDays) => type({ callWindowDays })}
      />
      {ofDays === undefined ? null : (
        <p role="alert" lang="en" style={{ color: "var(--bad)" }}>
          {ofDays}
        </p>
      )}
      <div className={styles.values}>
        {clock("start", "callWindowStart")}
        {clock("end", "callWindowEnd")}
        <Field
          label={say("hours.dates")}
          hint={say("hours.dates.hint")}
          name="callableHours.excludedDates"
          value={hours.callWindowExcludedDates}
          onChange={({ target }) => type({ callWindowExcludedDates: target.value })}
          fault={faultOf("callableHours.excludedDates")}
        />
      </div>
      <Check
        label={say("hours.whole-days")}
        name="wholeDays"
        checked={hours.isAnyHour}
        onChange={({ target }) => type({ isAnyHour: target.checked })}
      />
    </Rule>
  );
}

const MOST_ATTEMPTS = { day: 100, week: 500, month: 2_000 } as const;

function Attempts({ draft: { hasAttempts, attempts }, change, faultOf }: RuleProps) {
  const say = useTexts(TEXTS);
  return (
    <Rule name="attemptsPerNumber" isOn={hasAttempts} turn={(isOn) => change({ hasAttempts: isOn })}>
      <div className={styles.values}>
        {(["day", "week", "month"] as const).map((period) => (
          <Field
            key={period}
            label={say(`attempts.${period}`)}
            name={`attemptsPerNumber.${period}`}
            type="number"
            min={1}
            max={MOST_ATTEMPTS[period]}
            value={attempts[period]}
            onChange={({ target }) => change({ attempts: { ...attempts, [period]: target.value } })}
            fault={faultOf(`attemptsPerNumber.${period}`)}
          />
        ))}
      </div>
    </Rule>
  );
}

function ListAge({ draft: { hasListAge, listMaxAgeDays }, change, faultOf }: RuleProps) {
  const say = useTexts(TEXTS);
  return (
    <Rule name="listMaxAgeDays" isOn={hasListAge} turn={(isOn) => change({ hasListAge: isOn })}>
      <div className={styles.values}>
        <Field
          label={say("list-age.days")}
          name="listMaxAgeDays"
          type="number"
          required
          min={1}
          max={365}
          value={listMaxAgeDays}
          onChange={({ target }) => change({ listMaxAgeDays: target.value })}
          fault={faultOf("listMaxAgeDays")}
        />
      </div>
    </Rule>
  );
}

function Eligibility({ draft: { hasEligibility, eligibility }, change, faultOf }: RuleProps) {
  const say = useTexts(TEXTS);
  const type = (changed: Partial<PolicyDraft["eligibility"]>) =>
    change({ eligibility: { ...eligibility, ...changed } });
  return (
    <Rule name="eligibility" isOn={hasEligibility} turn={(isOn) => change({ hasEligibility: isOn })}>
      <div className={styles.values}>
        <Field
          label={say("eligibility.url")}
          name="eligibility.url"
          type="url"
          required
          placeholder="https://crm.example.com/may-call"
          value={eligibility.url}
          onChange={({ target }) => type({ url: target.value })}
          fault={faultOf("eligibility.url")}
        />
        <Field
          label={say("eligibility.timeout")}
          name="eligibility.timeoutMs"
          type="number"
          required
          min={500}
          max={5_000}
          value={eligibility.timeoutMs}
          onChange={({ target }) => type({ timeoutMs: target.value })}
          fault={faultOf("eligibility.timeoutMs")}
        />
      </div>
      <TryAddress url={eligibility.url.trim()} />
    </Rule>
  );
}
