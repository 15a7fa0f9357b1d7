import { useState } from "react";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Field } from "../../ui/controls.tsx";
import { CountryChoice } from "./country-choice.tsx";
import { namedAfter } from "./draft.ts";
import { en, type Key } from "./en.ts";
import { FileTrial } from "./file-trial.tsx";
import { guessColumns, MAX_FILE_BYTES, type ReadContacts, readContacts } from "./read-file.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
type Fault = { readonly key: Key; readonly why?: string };

export function FileStep({ draft, judged, change, next }: StepProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const [isReading, setReading] = useState(false);
  const [fault, setFault] = useState<(Fault & { readonly name: string; readonly size: string }) | null>(null);
  const refuse = (file: File, why: Fault) =>
    setFault({ ...why, name: file.name, size: number(Math.round(file.size / 100_000) / 10) });
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    setFault(null);
    setReading(true);
    const taken = await take(file);
    if ("key" in taken) refuse(file, taken);
    else {
      const name = namedAfter(draft, file);
      change({ file, read: taken, columns: guessColumns(taken.header), name });
    }
    setReading(false);
  };
  const { file, read } = draft;
  const go = () => {
    if (file === null) setFault({ key: "file.none", name: "", size: "" });
    else next();
  };
  return (
    <StepForm title={say("step.file")} onNext={go} isBusy={isReading}>
      <Field
        label={say("file.label")}
        hint={say("file.hint")}
        name="file"
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        onChange={({ target }) => void choose(target.files?.[0])}
        fault={
          fault === null
            ? undefined
            : say(fault.key, { name: fault.name, size: fault.size, why: fault.why ?? "" })
        }
      />
      {file === null || read === null ? null : (
        <p role="status" dir="auto" data-user-text="">
          {say("file.chosen", {
            name: file.name,
            rows: number(read.rowCount),
            columns: number(read.header.length),
          })}
        </p>
      )}
      {read?.isWindows1252 === true ? (
        <p role="alert" className={styles.note} data-testid="windows-1252">
          {say("file.windows1252")}
        </p>
      ) : null}
      {file === null ? (
        <p>
          <a href={SAMPLE} download="sample.csv" data-testid="sample">
            {say("file.sample")}
          </a>
        </p>
      ) : (
        <>
          <CountryChoice draft={draft} change={change} />
          <FileTrial draft={judged} />
        </>
      )}
    </StepForm>
  );
}

const SAMPLE = `data:text/csv;charset=utf-8,${encodeURIComponent(
  "\u{feff}phone,name,date\n+905321112233,Ayşe Yılmaz,2 June\n+14155550123,José Pérez,3 June\n",
)}`;

/** Checks a file as far as possible without the service. */
async function take(file: File): Promise<ReadContacts | Fault> {
  if (file.size > MAX_FILE_BYTES) return { key: "file.too_large" };
  try {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    if (first === 0x50 && second === 0x4b) return { key: "file.workbook" };
    const read = await readContacts(file);
    return read.header.length === 0 || read.rows.length === 0 ? { key: "file.empty" } : read;
  } catch (error) {
    return { key: "file.unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}
