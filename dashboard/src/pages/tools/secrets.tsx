import type { SecretRecord } from "../../../../contract/secret.ts";
import { put, remove } from "../../api/request.ts";
import { Fault, Form, Muted, Row, Table } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { SECRET, SECRETS, TEXTS } from "./texts.ts";

/** Names only: values are never returned. */
export function Secrets({
  secrets,
  mayWrite,
}: {
  readonly secrets: readonly SecretRecord[];
  readonly mayWrite: boolean;
}) {
  const say = useTexts(TEXTS);
  const removing = useCommand(SECRETS);
  return (
    <Panel title={say("secrets")}>
      <div style={{ display: "grid", gap: 14 }}>
        <Muted>{secrets.length === 0 ? say("secrets.none") : say("secrets.told")}</Muted>
        {secrets.length === 0 ? null : (
          <Table label={say("secrets")} heads={[say("secret.name"), say("updated"), say("actions")]}>
            {secrets.map(({ name, updatedAt }) => (
              <tr key={name} data-secret={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <Time at={updatedAt} />
                </td>
                <td>
                  {mayWrite ? (
                    <Button
                      look="danger"
                      disabled={removing.busy}
                      aria-label={`${say("remove")}: ${name}`}
                      onClick={() => void removing.run(() => remove(SECRET, { params: { name } }))}
                    >
                      {say("remove")}
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </Table>
        )}
        <Fault error={removing.fault} />
        {mayWrite ? <KeepSecret /> : null}
      </div>
    </Panel>
  );
}

function KeepSecret() {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(SECRETS);
  const keep = async (fields: FormData, form: HTMLFormElement) => {
    const name = String(fields.get("secretName") ?? "");
    const body = { value: String(fields.get("value")) };
    const kept = await run(() => put(SECRET, { params: { name }, body }));
    if (kept !== undefined) form.reset();
  };
  return (
    <Form onSubmit={keep} fault={fault}>
      <Field
        label={say("secret.name")}
        name="secretName"
        required
        pattern="[A-Z0-9_]{1,64}"
        hint={say("secret.hint")}
        autoComplete="off"
      />
      <Field label={say("secret.value")} name="value" type="password" required autoComplete="new-password" />
      <Row>
        <Button type="submit" data-testid="save-secret" disabled={busy}>
          {say("secret.save")}
        </Button>
      </Row>
    </Form>
  );
}
