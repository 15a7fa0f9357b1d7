import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { ApiFailure, patch } from "../../api/request.ts";
import {
  type AssistantDraft,
  changesOf,
  type DraftField,
  differences,
  fieldsOf,
} from "../../records/assistant.ts";
import { Form, Muted, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { ASSISTANT, PATH, TEXTS } from "../assistants/texts.ts";
import styles from "./draft.module.css";
import { DraftControl } from "./draft-control.tsx";

/** What decides how a call goes; everything else is below. */
const TOLD: readonly DraftField[] = ["systemPrompt", "greetingMessage"];
const VOICE: readonly DraftField[] = ["name", "language", "voice", "model", "modelConnectionId"];

/** The draft; saving it does not change the published version. */
export function DraftForm({
  assistant,
  live,
}: {
  readonly assistant: AssistantRecord;
  readonly live: AssistantDraft | null;
}) {
  const say = useTexts(TEXTS);
  const changes = live === null ? 0 : differences(assistant, live).length;
  const { busy, fault, run } = useCommand(PATH);
  const save = (typed: FormData) =>
    run(() => patch(ASSISTANT, { params: assistant, body: changesOf(assistant, typed) }));
  const fields = fieldsOf(assistant);
  const details = fault instanceof ApiFailure ? fault.details : [];
  const faults = new Map(details.map(({ path, message }) => [path.join("."), message]));
  const controls = (names: readonly DraftField[]) =>
    names.flatMap((name) =>
      fields
        .filter((field) => field.name === name)
        .map((field) => (
          <DraftControl key={name} {...field} value={assistant[name]} faultOf={(of) => faults.get(of)} />
        )),
    );
  return (
    <Panel
      title={say("draft")}
      actions={
        <span data-count="differences" data-value={changes}>
          {live === null ? null : (
            <Muted>{changes === 0 ? say("same") : say("changed", { count: changes })}</Muted>
          )}
        </span>
      }
    >
      <Form onSubmit={save} fault={fault}>
        <div className={styles.first}>
          <div className={styles.told}>{controls(TOLD)}</div>
          <div className={styles.told}>{controls(VOICE)}</div>
        </div>
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("draft.save")}
          </Button>
        </Row>
        <h3>{say("more")}</h3>
        <div className={styles.more}>
          {controls(fields.map(({ name }) => name).filter((name) => ![...TOLD, ...VOICE].includes(name)))}
        </div>
      </Form>
    </Panel>
  );
}
