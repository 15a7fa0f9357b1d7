import { useState } from "react";
import type { SuppressionReport } from "../../../../contract/suppression.ts";
import { post } from "../../api/request.ts";
import { Form, Row, textOf } from "../../records/records.tsx";
import { typedNumber, typedNumbers } from "../../records/typed-number.ts";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field, TextField } from "../../ui/controls.tsx";
import { itemsOf } from "./items.ts";
import { PATH, TEXTS } from "./texts.ts";

type Closing = { readonly onClose: () => void };

export function AddOne({ onClose }: Closing) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const add = async (fields: FormData) => {
    const typed = textOf(fields, "phoneNumber") ?? "";
    const added = await run(async () =>
      post(PATH, { body: { phoneNumber: await typedNumber(typed), reason: textOf(fields, "reason") } }),
    );
    if (added !== undefined) onClose();
  };
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Form onSubmit={add} fault={fault}>
        <Field label={say("number")} name="phoneNumber" type="tel" required placeholder="+905321112233" />
        <Field label={say("reason")} name="reason" maxLength={255} />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("submit")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

export function PasteMany({ onClose }: Closing) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const [report, setReport] = useState<{
    readonly answer: SuppressionReport;
    readonly lines: readonly number[];
  }>();
  const add = async (fields: FormData) => {
    const items = itemsOf(String(fields.get("items") ?? ""), textOf(fields, "reason"));
    const answer = await run(async () => {
      const numbers = await typedNumbers(items.map(({ phoneNumber }) => phoneNumber));
      const read = items.map(({ phoneNumber, reason }, place) => ({
        phoneNumber: numbers[place]?.sent ?? phoneNumber,
        reason,
      }));
      return post(PATH, { body: { items: read } });
    });
    if (answer !== undefined && "rejected" in answer)
      setReport({ answer, lines: items.map(({ line }) => line) });
  };
  return (
    <Dialog title={say("paste")} onClose={onClose}>
      <Form onSubmit={add} fault={fault}>
        <TextField label={say("items")} name="items" rows={10} required dir="ltr" />
        <Field label={say("reason.all")} name="reason" maxLength={255} />
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {say("submit")}
          </Button>
        </Row>
        {report === undefined ? null : <Report {...report} />}
      </Form>
    </Dialog>
  );
}

function Report({
  answer,
  lines,
}: {
  readonly answer: SuppressionReport;
  readonly lines: readonly number[];
}) {
  const say = useTexts(TEXTS);
  const { added, existing, rejected } = answer;
  return (
    <div role="status" data-testid="report">
      <p>
        <span data-count="added" data-value={added} />
        <span data-count="rejected" data-value={rejected.count} />
        {say("report", { added, existing, rejected: rejected.count })}
      </p>
      <ul>
        {rejected.items.map(({ index, phoneNumber, reason }) => (
          <li key={index} data-user-text="" dir="auto">
            {say("rejected.line", {
              line: lines[index] ?? index + 1,
              number: phoneNumber,
              why: say(`why.${reason}`),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
