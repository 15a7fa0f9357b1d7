import { useState } from "react";
import type { PhoneNumberRecord } from "../../../../contract/phone-number.ts";
import { remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { More, Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { NumberForm } from "./number-form.tsx";
import { PATH, TEXTS } from "./texts.ts";

export function PhoneNumbers() {
  const say = useTexts(TEXTS);
  const list = useList(PATH, { query: ALL });
  const [edited, setEdited] = useState<PhoneNumberRecord | "new" | null>(null);
  const heads = [say("number"), say("label"), say("active"), say("carrier"), say("updated"), say("actions")];
  return (
    <>
      <Page
        name="phone-numbers"
        title={say("title")}
        state={stateOf({ ...list, isEmpty: list.rows.length === 0 })}
        failure={list.error}
        onRetry={() => void list.refetch()}
        empty={<p>{say("empty")}</p>}
        actions={
          <Button look="strong" data-testid="add" onClick={() => setEdited("new")}>
            {say("add")}
          </Button>
        }
      >
        <Table label={say("title")} heads={heads}>
          {list.rows.map((row) => (
            <NumberRow key={row.id} row={row} onChange={() => setEdited(row)} />
          ))}
        </Table>
        <More list={list} />
      </Page>
      {edited === null ? null : (
        <NumberForm of={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function NumberRow({ row, onChange }: { readonly row: PhoneNumberRecord; readonly onChange: () => void }) {
  const say = useTexts(TEXTS);
  const [asks, setAsks] = useState(false);
  const command = useCommand(PATH);
  return (
    <tr data-number={row.phoneNumber}>
      <td>{row.phoneNumber}</td>
      <td>
        <UserText>{row.label}</UserText>
      </td>
      <td>
        <Badge tone={row.active ? "good" : "quiet"} data-value={String(row.active)}>
          {say(row.active ? "active" : "inactive")}
        </Badge>
      </td>
      <td>{row.carrier ?? "–"}</td>
      <td>
        <Time at={row.updatedAt} />
      </td>
      <td>
        <Row>
          <Button data-testid="change" onClick={onChange}>
            {say("change")}
          </Button>
          <Button look="danger" data-testid="remove" onClick={() => setAsks(true)}>
            {say("remove")}
          </Button>
        </Row>
        {asks ? (
          <Confirm
            title={say("remove.title", { number: row.phoneNumber })}
            action={say("remove")}
            command={command}
            onConfirm={() => void command.run(() => remove(`${PATH}/:id`, { params: { id: row.id } }))}
            onClose={() => setAsks(false)}
          >
            <p>{say("remove.told")}</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  );
}
