import { useState } from "react";
import type { ConnectionRecord } from "../../../../contract/connection.ts";
import { remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { CONNECTIONS, settingOf } from "../../records/connection.tsx";
import { More, Muted, Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { CheckPanel } from "./check.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { FORMS, TEXTS } from "./kinds.ts";

/** An owner's connections to models, databases and carriers. */
export function Connections() {
  const say = useTexts(TEXTS);
  const list = useList(CONNECTIONS, { query: ALL });
  const [edited, setEdited] = useState<ConnectionRecord | "new" | null>(null);
  const [checked, setChecked] = useState<ConnectionRecord | null>(null);
  const heads = [say("name"), say("kind"), say("where"), say("updated"), say("actions")];
  return (
    <>
      <Page
        name="connections"
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
        {checked === null ? null : (
          <CheckPanel key={checked.id} connection={checked} onClose={() => setChecked(null)} />
        )}
        <Table label={say("title")} heads={heads}>
          {list.rows.map((row) => (
            <ConnectionRow
              key={row.id}
              row={row}
              onCheck={() => setChecked(row)}
              onChange={() => setEdited(row)}
            />
          ))}
        </Table>
        <More list={list} />
      </Page>
      {edited === null ? null : (
        <ConnectionForm of={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function ConnectionRow({
  row,
  onCheck,
  onChange,
}: {
  readonly row: ConnectionRecord;
  readonly onCheck: () => void;
  readonly onChange: () => void;
}) {
  const say = useTexts(TEXTS);
  return (
    <tr data-connection={row.id} data-kind={row.kind}>
      <td>
        <UserText>{row.name}</UserText>
        {row.default ? (
          <div title={say("own.told")}>
            <Badge>{say("own")}</Badge>
          </div>
        ) : null}
      </td>
      <td>{say(`kind.${row.kind}`)}</td>
      <td>
        <UserText>{String(settingOf(row, FORMS[row.kind].where) ?? "–")}</UserText>
      </td>
      <td>
        <Time at={row.updatedAt} />
      </td>
      <td>
        <Row>
          <Button data-testid="open-check" aria-label={`${say("check")}: ${row.name}`} onClick={onCheck}>
            {say("check")}
          </Button>
          {row.default ? (
            <Muted>{say("own.told")}</Muted>
          ) : (
            <>
              <Button data-testid="change" onClick={onChange}>
                {say("change")}
              </Button>
              <Remove row={row} />
            </>
          )}
        </Row>
      </td>
    </tr>
  );
}

function Remove({ row }: { readonly row: ConnectionRecord }) {
  const say = useTexts(TEXTS);
  const [asks, setAsks] = useState(false);
  const command = useCommand(CONNECTIONS);
  return (
    <>
      <Button look="danger" data-testid="remove" onClick={() => setAsks(true)}>
        {say("remove")}
      </Button>
      {asks ? (
        <Confirm
          title={say("remove.title", { name: row.name })}
          action={say("remove")}
          command={command}
          onConfirm={() => void command.run(() => remove(`${CONNECTIONS}/:id`, { params: row }))}
          onClose={() => setAsks(false)}
        >
          <p>{say("remove.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
