import { patch, post } from "../../api/request.ts";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Dialog, Field } from "../../ui/controls.tsx";
import { PATH, type PhoneNumber, TEXTS } from "./texts.ts";

/** A new number, or one that is changed. */
export function NumberForm({
  of,
  onClose,
}: {
  readonly of: PhoneNumber | null;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const { busy, fault, run } = useCommand(PATH);
  const save = async (fields: FormData) => {
    const body = {
      phoneNumber: textOf(fields, "phoneNumber")?.trim() ?? "",
      label: textOf(fields, "label"),
      carrier: textOf(fields, "carrier"),
      active: fields.has("active"),
    };
    const saved = await run(() => (of === null ? post(PATH, body) : patch(`${PATH}/${of.id}`, body)));
    if (saved !== undefined) onClose();
  };
  return (
    <Dialog title={of === null ? say("add") : of.phoneNumber} onClose={onClose}>
      <Form onSubmit={save} fault={fault}>
        <Field
          label={say("number")}
          name="phoneNumber"
          type="tel"
          required
          placeholder="+905320000000"
          defaultValue={of?.phoneNumber}
        />
        <Field label={say("label")} name="label" maxLength={255} defaultValue={of?.label ?? ""} />
        <Field
          label={say("carrier")}
          name="carrier"
          maxLength={255}
          hint={say("carrier.hint")}
          defaultValue={of?.carrier ?? ""}
        />
        <Check label={say("active.told")} name="active" defaultChecked={of?.active ?? true} />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {sayFrame("save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
