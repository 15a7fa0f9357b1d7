import { useState } from "react";
import type { ColumnRole } from "../../../../contract/campaign-import.ts";
import { useTexts } from "../../texts/language.tsx";
import { Check, Choice } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { CONSENT_ROLES, isConsentWithout } from "./columns.ts";
import { CountryChoice } from "./country-choice.tsx";
import { en } from "./en.ts";
import { FileTrial } from "./file-trial.tsx";
import type { ReadContacts } from "./read-file.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
const ROLES: readonly ColumnRole[] = ["phone", "name", "timezone", "externalId"];

export function ColumnsStep({ draft, judged, change, next, back }: StepProps) {
  const say = useTexts(TEXTS);
  const [isAsked, setAsked] = useState(false);
  const { columns, read } = draft;
  if (read === null) return null;
  const spoilt = read.spoilt[columns.phone];
  const local = draft.defaultCountry === "" ? read.national[columns.phone] : undefined;
  const go = () => {
    setAsked(true);
    if (columns.phone !== "" && !CONSENT_ROLES.some((role) => isConsentWithout(columns, role))) next();
  };
  const faultOf = (role: ColumnRole) => {
    if (!isAsked) return undefined;
    if (role === "phone" && columns.phone === "") return say("columns.required");
    return isConsentWithout(columns, role) ? say("columns.consent.required") : undefined;
  };
  const choice = (role: ColumnRole) => (
    <Choice
      key={role}
      label={say(`columns.${role}`)}
      name={`columns.${role}`}
      value={columns[role]}
      onChange={({ target }) => change({ columns: { ...columns, [role]: target.value } })}
      fault={faultOf(role)}
    >
      <option value="">{say("columns.none")}</option>
      {[...new Set(read.header)].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Choice>
  );
  return (
    <StepForm title={say("step.columns")} onNext={go} onBack={back}>
      <p>{say("columns.about")}</p>
      <div className={layout.columns}>
        {ROLES.map(choice)}
        <CountryChoice draft={draft} change={change} />
      </div>
      <fieldset className={layout.group}>
        <legend>{say("columns.consent")}</legend>
        <p className={layout.small}>{say("columns.consent.told")}</p>
        <div className={layout.columns}>{CONSENT_ROLES.map(choice)}</div>
      </fieldset>
      <Check
        label={say("columns.skip")}
        name="skipDuplicates"
        checked={draft.skipDuplicates}
        onChange={({ target }) => change({ skipDuplicates: target.checked })}
      />
      {spoilt === undefined ? null : (
        <p role="alert" className={styles.fault} data-testid="spreadsheet-number">
          {say("columns.spreadsheet", { example: spoilt })}
        </p>
      )}
      {local === undefined ? null : (
        <p role="alert" className={styles.note} data-testid="needs-country">
          {say("columns.needs_country", { example: local })}
        </p>
      )}
      <FileTrial draft={judged} />
      <FirstRows read={read} />
    </StepForm>
  );
}

function FirstRows({ read: { header, rows } }: { readonly read: ReadContacts }) {
  const say = useTexts(TEXTS);
  const names = [...new Set(header)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={layout.scroll} tabIndex={0} aria-label={say("columns.first")}>
      <table className={layout.table} data-user-text="">
        <caption className={layout.small}>{say("columns.first")}</caption>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" dir="auto">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 5).map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
            <tr key={place}>
              {names.map((name) => (
                <td key={name} dir="auto">
                  {row[name]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
