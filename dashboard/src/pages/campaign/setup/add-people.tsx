import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { post } from "../../../api/request.ts";
import { Fault } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Dialog, Field, TextField } from "../../../ui/controls.tsx";
import { newKey } from "../../campaign-new/campaign-api.ts";
import { type Rejected, RejectedTable } from "../../campaign-new/rejected-rows.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import { peopleOf, textOfFile } from "./people.ts";
import styles from "./setup.module.css";

type AddPeopleProps = { readonly campaignId: string; readonly onClose: () => void };

/** Adds those of a file or of pasted lines; whoever is refused is named. */
export function AddPeople({ campaignId: id, onClose }: AddPeopleProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const { number } = useFormat();
  const [text, setText] = useState("");
  const [areOnce, setOnce] = useState(true);
  const people = useMemo(() => peopleOf(text), [text]);
  const { busy, fault, run } = useCommand();
  const queries = useQueryClient();
  const [rejected, setRejected] = useState<Rejected | null>(null);
  // Pressed again after a cut line it finds those who were added.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other people are another addition
  const key = useMemo(newKey, [text, areOnce]);
  const chosen = async (file: File | undefined) => {
    if (file === undefined) return;
    setRejected(null);
    setText(await textOfFile(file));
  };
  const add = async () => {
    const body = { contacts: people, skipDuplicates: areOnce };
    const headers = { "Idempotency-Key": key };
    const added = await run(() => post("/api/v1/campaigns/:id/contacts", { params: { id }, body, headers }));
    if (added === undefined) return;
    setRejected(added.rejectedContacts);
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
            setRejected(null);
            setText(target.value);
          }}
        />
        <Check
          label={say("add.once")}
          name="skipDuplicates"
          checked={areOnce}
          onChange={({ target }) => setOnce(target.checked)}
        />
        <Fault error={fault} />
        {rejected === null ? null : (
          <div role="status" data-testid="added">
            <p>
              {say("add.done", {
                added: number(people.length - rejected.count),
                rejected: number(rejected.count),
              })}
            </p>
            <RejectedTable rejected={rejected} />
          </div>
        )}
        <div className={styles.row}>
          <Button
            type="submit"
            look="strong"
            data-testid="add"
            disabled={busy || people.length === 0 || rejected !== null}
          >
            {people.length === 0 ? say("add.nobody") : say("add.add", { count: number(people.length) })}
          </Button>
          <Button onClick={onClose}>{frame("dialog.close")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
