import { useState } from "react";
import type { ConnectionRecord } from "../../../../contract/connection.ts";
import type { ConnectionKind } from "../../../../contract/connection-settings.ts";
import { patch, post } from "../../api/request.ts";
import { CONNECTIONS, settingOf } from "../../records/connection.tsx";
import { CONNECTION_KINDS } from "../../records/connection-kinds.ts";
import { Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Choice, Dialog, Field } from "../../ui/controls.tsx";
import { changesOf, FORMS, newOf, type Setting, TEXTS } from "./kinds.ts";

/** A new or changed connection; its kind does not change. */
export function ConnectionForm({
  of,
  onClose,
}: {
  readonly of: ConnectionRecord | null;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const [kind, setKind] = useState<ConnectionKind>(of?.kind ?? "model");
  const { busy, fault, run } = useCommand(CONNECTIONS);
  const save = async (fields: FormData) => {
    const saved = await run(() =>
      of === null
        ? post(CONNECTIONS, { body: newOf(kind, fields) })
        : patch(`${CONNECTIONS}/:id`, { params: of, body: changesOf(kind, fields) }),
    );
    if (saved !== undefined) onClose();
  };
  return (
    <Dialog title={of === null ? say("add") : <bdi>{of.name}</bdi>} onClose={onClose}>
      <Form onSubmit={save} fault={fault}>
        {of === null ? (
          <Choice
            label={say("kind")}
            name="kind"
            value={kind}
            onChange={({ target }) => setKind(CONNECTION_KINDS.find((each) => each === target.value) ?? kind)}
          >
            {CONNECTION_KINDS.map((each) => (
              <option key={each} value={each}>
                {say(`kind.${each}`)}
              </option>
            ))}
          </Choice>
        ) : null}
        <Field label={say("name")} name="name" required maxLength={255} dir="auto" defaultValue={of?.name} />
        {FORMS[kind].settings.map((setting) => (
          <SettingField key={`${kind} ${setting.name}`} setting={setting} of={of} />
        ))}
        <Field
          label={say(`field.${FORMS[kind].secret}`)}
          name={`secrets.${FORMS[kind].secret}`}
          type="password"
          autoComplete="off"
          required={of === null}
          hint={of === null ? undefined : say("secret.kept")}
        />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {sayFrame("save")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

function SettingField({ setting, of }: { readonly setting: Setting; readonly of: ConnectionRecord | null }) {
  const say = useTexts(TEXTS);
  const { name, kind, initial, optional, fixed } = setting;
  const label = say(`field.${name}`);
  const value = of === null ? initial : settingOf(of, name);
  if (kind === "check")
    return <Check label={label} name={`settings.${name}`} defaultChecked={value === true} />;
  const isFixed = of !== null && fixed === true;
  return (
    <Field
      label={label}
      name={`settings.${name}`}
      type={kind}
      step={kind === "number" ? "any" : undefined}
      dir="ltr"
      required={optional !== true}
      disabled={isFixed}
      hint={isFixed ? say("fixed") : undefined}
      defaultValue={value === undefined || value === null ? "" : String(value)}
    />
  );
}
