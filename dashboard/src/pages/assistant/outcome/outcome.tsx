import { useState } from "react";
import type { AssistantRecord } from "../../../../../contract/assistant.ts";
import { ApiFailure, patch } from "../../../api/request.ts";
import { Form, Muted, Row } from "../../../records/records.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useCommand } from "../../../records/use-command.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Panel } from "../../../ui/controls.tsx";
import { ASSISTANT, PATH } from "../../assistants/texts.ts";
import { en } from "./en.ts";
import { FieldRows } from "./field-rows.tsx";
import styles from "./outcome.module.css";
import { controlOf, type OutcomeDraft, outcomeDraftOf, outcomeOf, type Refused } from "./outcome-draft.ts";
import { SuccessFields } from "./success-fields.tsx";
import { tr } from "./tr.ts";
import { Trial } from "./trial.tsx";

const NOTHING: Refused = { rowIds: [], byControl: new Map() };

/** What calls of the assistant are asked for after their end, and what a past call answers to it. */
export function Outcome({ assistant }: { readonly assistant: AssistantRecord }) {
  const say = useTexts({ en, tr });
  const kept = JSON.stringify(assistant.outcome);
  const [seen, setSeen] = useState(kept);
  const [draft, setDraft] = useState<OutcomeDraft>(() => outcomeDraftOf(assistant.outcome));
  const [refused, setRefused] = useState<Refused>(NOTHING);
  const [isSaved, setSaved] = useState(false);
  const mayTry = useAllowed()("calls:read");
  const { busy, fault, run } = useCommand(PATH);
  if (kept !== seen) {
    setSeen(kept);
    setDraft(outcomeDraftOf(assistant.outcome));
  }
  const outcome = outcomeOf(draft);
  const isUnsaved = JSON.stringify(outcome) !== JSON.stringify(outcomeOf(outcomeDraftOf(assistant.outcome)));
  const change = (next: OutcomeDraft) => {
    setSaved(false);
    setDraft(next);
  };
  /** Marks what was refused at its control, and leads to the first of them. */
  const mark = (error: unknown): never => {
    const details = error instanceof ApiFailure ? error.details : [];
    const byControl = new Map(details.map(({ path, message }) => [controlOf(path), message]));
    setRefused({ rowIds: draft.rows.map(({ id }) => id), byControl });
    const [first = ""] = byControl.keys();
    document.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
    throw error;
  };
  const save = async () => {
    setRefused(NOTHING);
    const params = { id: assistant.id };
    const done = await run(() => patch(ASSISTANT, { params, body: { outcome } }).catch(mark));
    setSaved(done !== undefined);
  };
  const all = refused.byControl.get("outcome");
  return (
    <>
      <Panel title={say("title")}>
        <Form onSubmit={save} fault={fault}>
          <Muted>{say("told")}</Muted>
          <Check
            label={say("summary")}
            name="outcome.summary"
            checked={draft.summary}
            onChange={({ target }) => change({ ...draft, summary: target.checked })}
          />
          <FieldRows draft={draft} change={change} refused={refused} />
          <SuccessFields draft={draft} change={change} refused={refused} />
          {all === undefined ? null : (
            <p role="alert" className={styles.fault} lang="en">
              {all}
            </p>
          )}
          <Row>
            <Button type="submit" look="strong" data-testid="save-outcome" disabled={busy}>
              {say("save")}
            </Button>
            <span role="status" data-testid="outcome-state" data-value={isUnsaved ? "unsaved" : "saved"}>
              <Muted>{isUnsaved ? say("unsaved") : isSaved ? say("saved") : null}</Muted>
            </span>
          </Row>
        </Form>
      </Panel>
      {mayTry ? <Trial assistantId={assistant.id} outcome={outcome} onRefused={mark} /> : null}
    </>
  );
}
