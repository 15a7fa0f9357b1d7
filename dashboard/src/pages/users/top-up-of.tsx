import { useState } from "react";
import type { AccountRecord } from "../../../../contract/account.ts";
import type { UserRecord } from "../../../../contract/user.ts";
import { post } from "../../api/request.ts";
import { Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field } from "../../ui/controls.tsx";
import { TEXTS } from "./texts.ts";

export function TopUpOf({ user, onClose }: { readonly user: UserRecord; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { busy, fault, run } = useCommand();
  const [account, setAccount] = useState<AccountRecord>();
  const add = async (fields: FormData) => {
    const body = {
      userId: user.id,
      amount: Number(fields.get("amount")),
      reference: String(fields.get("reference")),
    };
    setAccount(await run(() => post("/api/v1/account/credits", { body })));
  };
  return (
    <Dialog title={say("top")} onClose={onClose}>
      <Form onSubmit={add} fault={fault}>
        <p data-user-text="" dir="auto">
          {user.name}
        </p>
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
            {say("top")}
          </Button>
        </Row>
        {account === undefined ? null : (
          <p role="status" data-count="balance" data-value={account.balance}>
            {say("top.done", { balance: number(account.balance) })}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
