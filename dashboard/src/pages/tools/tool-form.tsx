import { useState } from "react";
import type { ToolRecord } from "../../../../contract/tool.ts";
import { patch, post } from "../../api/request.ts";
import { Form, Row } from "../../records/records.tsx";
import { typedNumber } from "../../records/typed-number.ts";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Dialog, Field, TextField } from "../../ui/controls.tsx";
import { BadField, configOf } from "./config.ts";
import { ConfigFields } from "./config-fields.tsx";
import { PATH, TEXTS, TOOL, type ToolType, TYPES } from "./texts.ts";

/** A new or changed tool; its type does not change. */
export function ToolForm({ of, onClose }: { readonly of: ToolRecord | null; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const [type, setType] = useState<ToolType>(of?.type ?? "API_REQUEST");
  const answers = type === "API_REQUEST" || type === "DATABASE_QUERY";
  const { busy, fault, run } = useCommand(PATH);
  const bad = fault instanceof BadField ? fault : null;
  const save = async (fields: FormData) => {
    const saved = await run(async () => {
      const about = {
        name: String(fields.get("name")),
        description: String(fields.get("description")),
        ...(answers ? { sampleAnswer: String(fields.get("sampleAnswer")).trim() || null } : {}),
      };
      const transferred = fields.get("config.to");
      if (transferred !== null) fields.set("config.to", await typedNumber(String(transferred)));
      const made = configOf(type, fields);
      return of === null
        ? post(PATH, { body: { ...about, ...made } })
        : patch(TOOL, { params: { toolId: of.id }, body: { ...about, config: made.config } });
    });
    if (saved !== undefined) onClose();
  };
  return (
    <Dialog title={of === null ? say("add") : of.name} onClose={onClose}>
      <Form onSubmit={save} fault={bad === null ? fault : null}>
        <Field
          label={say("name")}
          name="name"
          required
          maxLength={255}
          hint={say("name.hint")}
          defaultValue={of?.name}
        />
        {of === null ? (
          <Choice
            label={say("type")}
            name="type"
            value={type}
            onChange={({ target }) => setType(TYPES.find((each) => each === target.value) ?? type)}
          >
            {TYPES.map((each) => (
              <option key={each} value={each}>
                {say(`type.${each}`)}
              </option>
            ))}
          </Choice>
        ) : null}
        <TextField
          label={say("description")}
          name="description"
          dir="auto"
          hint={say("description.hint")}
          defaultValue={of?.description ?? ""}
        />
        <ConfigFields
          key={type}
          type={type}
          config={of?.config ?? {}}
          faultOf={(name) => (bad?.field === name ? say(bad.kind, { line: bad.line }) : undefined)}
        />
        {answers ? (
          <TextField
            label={say("sample")}
            name="sampleAnswer"
            dir="auto"
            hint={say("sample.hint")}
            defaultValue={of?.sampleAnswer ?? ""}
          />
        ) : null}
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {sayFrame("save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
