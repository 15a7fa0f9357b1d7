import { patch } from "../../api/request.ts";
import { type Assistant, DRAFT_FIELDS } from "../../records/assistant.ts";
import { Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { PATH, TEXTS } from "../assistants/texts.ts";
import { changesOf } from "./changes.ts";
import { DraftControl } from "./draft-control.tsx";

/** The draft; saving it does not change the published version. */
export function DraftForm({ assistant }: { readonly assistant: Assistant }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const save = (fields: FormData) =>
    run(() => patch(`${PATH}/${assistant.id}`, changesOf(assistant, fields)));
  return (
    <Panel title={say("draft")}>
      <Form onSubmit={save} fault={fault}>
        {DRAFT_FIELDS.filter(({ name }) => assistant[name] !== undefined).map((field) => (
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
