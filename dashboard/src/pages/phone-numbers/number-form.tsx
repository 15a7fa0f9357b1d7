import type { PhoneNumberRecord } from "../../../../contract/phone-number.ts";
import { patch, post } from "../../api/request.ts";
import { CONNECTIONS, ConnectionChoice } from "../../records/connection.tsx";
import { CARRIERS } from "../../records/connection-kinds.ts";
import { Form, Row, textOf } from "../../records/records.tsx";
import { typedNumber } from "../../records/typed-number.ts";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Dialog, Field } from "../../ui/controls.tsx";
import { PATH, TEXTS } from "./texts.ts";

/** A new or changed number. */
export function NumberForm({
  of,
  onClose,
}: {
  readonly of: PhoneNumberRecord | null;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const { busy, fault, run } = useCommand(PATH);
  const enabled = useAllowed()("admin");
  const connections = useList(CONNECTIONS, { query: ALL, enabled });
  const hasCarrier = connections.rows.some(({ kind }) => CARRIERS.includes(kind));
  const save = async (fields: FormData) => {
    const typed = textOf(fields, "phoneNumber") ?? "";
    const rest = {
      label: textOf(fields, "label"),
      carrier: textOf(fields, "carrier"),
      active: fields.has("active"),
      ...(fields.has("connectionId") ? { connectionId: textOf(fields, "connectionId") } : {}),
    };
    const saved = await run(async () => {
      const body = { phoneNumber: await typedNumber(typed), ...rest };
      return of === null ? post(PATH, { body }) : patch(`${PATH}/:id`, { params: { id: of.id }, body });
    });
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
        {of?.connectionId === undefined && !hasCarrier ? null : (
          <ConnectionChoice
            label={say("connection")}
            name="connectionId"
            kinds={CARRIERS}
            value={of?.connectionId ?? ""}
          />
        )}
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
