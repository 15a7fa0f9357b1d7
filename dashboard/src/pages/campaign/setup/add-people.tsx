import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { post } from "../../../api/request.ts";
import { Fault } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Dialog, Field, TextField } from "../../../ui/controls.tsx";
import { newKey } from "../../campaign-new/campaign-api.ts";
import { NumberCountry } from "../../campaign-new/country-choice.tsx";
import { needsCountry } from "../../campaign-new/read-file.ts";
import { RejectedTable } from "../../campaign-new/rejected-rows.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import { type AddReport, peopleOf, readPeople, textOfFile, withRefused } from "./people.ts";
import styles from "./setup.module.css";

type AddPeopleProps = { readonly campaignId: string; readonly onClose: () => void };

/** Adds those of a file or of pasted lines; whoever is refused is named. */
export function AddPeople({ campaignId: id, onClose }: AddPeopleProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const [text, setText] = useState("");
  const [areOnce, setOnce] = useState(true);
  const [country, setCountry] = useState("");
  const people = useMemo(() => peopleOf(text), [text]);
  const lacksCountry = people.some(({ person }) => needsCountry(person.phoneNumber));
  const { busy, fault, run } = useCommand();
  const queries = useQueryClient();
  const [report, setReport] = useState<AddReport | null>(null);
  // Pressed again after a cut line it finds those who were added.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other people are another addition
  const key = useMemo(newKey, [text, areOnce, country]);
  const chosen = async (file: File | undefined) => {
    if (file === undefined) return;
    setReport(null);
    setText(await textOfFile(file));
  };
  const add = async () => {
    const report = await run(async () => {
      const read = await readPeople(people, country);
      if (read.kept.length === 0) return read.report;
      const contacts = read.kept.map(({ person }) => person);
      const added = await post("/api/v1/campaigns/:id/contacts", {
        params: { id },
        body: { contacts, skipDuplicates: areOnce },
        headers: { "Idempotency-Key": key },
      });
      return withRefused(read, added.rejectedContacts);
    });
    if (report === undefined) return;
    setReport(report);
    if (report.rejected.count < people.length)
      await queries.invalidateQueries({ queryKey: ["campaign", id] });
  };
  return (
    <Dialog title={say("add.title")} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label={say("add.file")}
          name="file"
          type="file"
          accept=".csv,.txt,.tsv,text/csv"
          onChange={({ target }) => void chosen(target.files?.[0])}
        />
        <TextField
          label={say("add.paste")}
          hint={say("add.paste-hint")}
          name="contacts"
          rows={6}
          dir="auto"
          value={text}
          onChange={({ target }) => {
            setReport(null);
            setText(target.value);
          }}
        />
        {lacksCountry ? (
          <NumberCountry
            value={country}
            choose={(next) => {
              setReport(null);
              setCountry(next);
            }}
          />
        ) : null}
        <Check
          label={say("add.once")}
          name="skipDuplicates"
          checked={areOnce}
          onChange={({ target }) => setOnce(target.checked)}
        />
        <Fault error={fault} />
        {report === null ? null : (
          <div role="status" data-testid="added" data-normalized={report.normalized}>
            <p>
              {say("add.done", {
                added: number(people.length - report.rejected.count),
                rejected: number(report.rejected.count),
              })}
              {report.normalized === 0
                ? null
                : ` ${say("add.normalized", { count: number(report.normalized) })}`}
            </p>
            <RejectedTable rejected={report.rejected} hasCountry={country !== ""} />
          </div>
        )}
        <div className={styles.row}>
          <Button
            type="submit"
            look="strong"
            data-testid="add"
            disabled={busy || people.length === 0 || report !== null}
          >
            {people.length === 0 ? say("add.nobody") : say("add.add", { count: number(people.length) })}
          </Button>
          <Button onClick={onClose}>{frame("dialog.close")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
