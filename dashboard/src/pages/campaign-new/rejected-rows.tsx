import { useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { type ImportReport, rejectedRows } from "./campaign-api.ts";
import type { Draft } from "./draft.ts";
import { en } from "./en.ts";
import { needsCountry } from "./read-file.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
type RejectedRowsProps = { readonly report: ImportReport; readonly draft: Draft };

export function RejectedRows({ report, draft }: RejectedRowsProps) {
  const say = useTexts(TEXTS);
  const [fault, setFault] = useState<unknown>(null);
  const { count, items } = report.rejectedContacts;
  if (count === 0) return null;
  const download = async () => {
    setFault(null);
    try {
      save(await rejectedRows(draft), "rejected.csv");
    } catch (error) {
      setFault(error);
    }
  };
  return (
    <>
      <h3>{say("report.rows")}</h3>
      {count > items.length ? (
        <p className={layout.small}>{say("report.first", { shown: items.length, count })}</p>
      ) : null}
      <RejectedTable rejected={report.rejectedContacts} hasCountry={draft.defaultCountry !== ""} />
      <div>
        <Button data-testid="download-rejected" onClick={download}>
          {say("report.download")}
        </Button>
      </div>
      {fault === null ? null : (
        <p role="alert">
          <ErrorText error={fault} />
        </p>
      )}
    </>
  );
}

export type Rejected = ImportReport["rejectedContacts"];

/** Who is left out, and why; in a list that was typed the place stands for the line. */
export function RejectedTable({
  rejected: { items },
  hasCountry = false,
}: {
  readonly rejected: Rejected;
  /** Numbers without + were read in a country. */
  readonly hasCountry?: boolean;
}) {
  const say = useTexts(TEXTS);
  if (items.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={`${layout.scroll} ${styles.rows}`} tabIndex={0} aria-label={say("report.rows")}>
      <table className={layout.table}>
        <thead>
          <tr>
            <th scope="col">{say("report.line")}</th>
            <th scope="col">{say("report.number")}</th>
            <th scope="col">{say("report.reason")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ index, line = index + 1, phoneNumber, reason }) => (
            <tr key={index} data-line={line} data-reason={reason}>
              <td>{line}</td>
              <td data-user-text="" dir="auto">
                {phoneNumber}
              </td>
              <td>
                <Reason reason={!hasCountry && isNational(reason, phoneNumber) ? "no_country" : reason} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** It is a number: only its country is missing. */
const isNational = (reason: string, cell: string | null): boolean =>
  reason === "not_e164" && cell !== null && needsCountry(cell);

function Reason({ reason }: { readonly reason: string }) {
  const say = useTexts(TEXTS);
  return Object.hasOwn(en, `reason.${reason}`) ? say(`reason.${reason}` as "reason.duplicate") : reason;
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
