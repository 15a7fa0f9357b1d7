import { post } from "../../api/request.ts";
import { Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field } from "../../ui/controls.tsx";
import { ACCOUNT, LEDGER, TEXTS } from "./texts.ts";

/** For operators, to their own account. */
export function TopUp({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(ACCOUNT, LEDGER);
  const add = async (fields: FormData) => {
    const body = { amount: Number(fields.get("amount")), reference: String(fields.get("reference")) };
    if ((await run(() => post(`${ACCOUNT}/credits`, { body }))) !== undefined) onClose();
  };
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Form onSubmit={add} fault={fault}>
        <Field label={say("amount")} name="amount" type="number" min="0.0001" step="0.0001" required />
        <Field
          label={say("reference")}
          name="reference"
          required
          maxLength={255}
          hint={say("reference.hint")}
        />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("add")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
