import { useState } from "react";
import { patch } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel } from "../../ui/controls.tsx";
import { ACCOUNT, ERASURES, TEXTS } from "./texts.ts";

/** After how many days texts are erased automatically. Setting it needs a confirmation, because it erases. */
export function Retention({ contentDays }: { readonly contentDays: number | null }) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const command = useCommand(ACCOUNT, ERASURES);
  const [days, setDays] = useState<number | null>(null);
  const keep = async (wanted: number | null) => {
    const done = await command.run(() => patch(ACCOUNT, { body: { retention: { contentDays: wanted } } }));
    if (done !== undefined) setDays(null);
  };
  const submit = (fields: FormData) => {
    const given = textOf(fields, "contentDays");
    if (given === null) void keep(null);
    else setDays(Number(given));
  };
  return (
    <Panel title={say("retention.title")}>
      <Form onSubmit={submit} fault={days === null ? command.fault : null}>
        <Field
          label={say("retention.days")}
          hint={say("retention.hint")}
          name="contentDays"
          type="number"
          min={1}
          max={3650}
          defaultValue={contentDays ?? ""}
          key={contentDays}
          data-value={contentDays}
        />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={command.busy}>
            {frame("save")}
          </Button>
        </Row>
      </Form>
      {days === null ? null : (
        <Confirm
          title={say("retention.confirm", { days })}
          action={say("retention.keep")}
          command={command}
          onConfirm={() => void keep(days)}
          onClose={() => setDays(null)}
        >
          <p>{say("retention.told")}</p>
        </Confirm>
      )}
    </Panel>
  );
}
