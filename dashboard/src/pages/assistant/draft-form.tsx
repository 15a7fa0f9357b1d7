import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { patch } from "../../api/request.ts";
import { changesOf, fieldsOf } from "../../records/assistant.ts";
import { Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { ASSISTANT, PATH, TEXTS } from "../assistants/texts.ts";
import { DraftControl } from "./draft-control.tsx";

/** The draft; saving it does not change the published version. */
export function DraftForm({ assistant }: { readonly assistant: AssistantRecord }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const save = (fields: FormData) =>
    run(() => patch(ASSISTANT, { params: assistant, body: changesOf(assistant, fields) }));
  return (
    <Panel title={say("draft")}>
      <Form onSubmit={save} fault={fault}>
        {fieldsOf(assistant).map((field) => (
          <DraftControl key={field.name} {...field} value={assistant[field.name]} />
        ))}
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("draft.save")}
          </Button>
        </Row>
      </Form>
    </Panel>
  );
}
