import { useState } from "react";
import type { SuppressionRecord } from "../../../../contract/suppression.ts";
import { remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { More, Row, Table, UserText } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { AddOne, PasteMany } from "./add.tsx";
import { HistoryDialog } from "./history.tsx";
import { Source, useReason } from "./source.tsx";
import { PATH, TEXTS } from "./texts.ts";

type Open = "one" | "many" | "look" | null;

export function DoNotCall() {
  const say = useTexts(TEXTS);
  const list = useList(PATH, { query: { limit: 100 } });
  const mayWrite = useAllowed()("calls:write");
  const [open, setOpen] = useState<Open>(null);
  const actions = (
    <Row>
      {mayWrite ? (
        <>
          <Button look="strong" data-testid="add" onClick={() => setOpen("one")}>
            {say("add")}
          </Button>
          <Button data-testid="paste" onClick={() => setOpen("many")}>
            {say("paste")}
          </Button>
        </>
      ) : null}
      <Button data-testid="look" onClick={() => setOpen("look")}>
        {say("look")}
      </Button>
    </Row>
  );
  return (
    <>
      <Page
        name="do-not-call"
        title={say("title")}
        state={stateOf({ ...list, isEmpty: list.rows.length === 0 })}
        failure={list.error}
        onRetry={() => void list.refetch()}
        actions={actions}
        empty={<p>{say("empty")}</p>}
      >
        <p>{say("told")}</p>
        <List rows={list.rows} mayWrite={mayWrite} />
        <More list={list} />
      </Page>
      {open === "one" ? <AddOne onClose={() => setOpen(null)} /> : null}
      {open === "many" ? <PasteMany onClose={() => setOpen(null)} /> : null}
      {open === "look" ? <HistoryDialog phoneNumber={null} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function List({
  rows,
  mayWrite,
}: {
  readonly rows: readonly SuppressionRecord[];
  readonly mayWrite: boolean;
}) {
  const say = useTexts(TEXTS);
  const reasonOf = useReason();
  const heads = [say("number"), say("reason"), say("source"), say("added"), say("actions")];
  return (
    <Table label={say("title")} heads={heads}>
      {rows.map((entry) => (
        <tr key={entry.phoneNumber} data-number={entry.phoneNumber}>
          <td style={{ whiteSpace: "nowrap" }}>{entry.phoneNumber}</td>
          <td>
            <UserText>{reasonOf(entry.reason)}</UserText>
          </td>
          <td>
            <Source of={entry} />
          </td>
          <td>
            <Time at={entry.createdAt} />
          </td>
          <td>
            <Row>
              <ShowHistory phoneNumber={entry.phoneNumber} />
              {mayWrite ? <Remove phoneNumber={entry.phoneNumber} /> : null}
            </Row>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ShowHistory({ phoneNumber }: { readonly phoneNumber: string }) {
  const say = useTexts(TEXTS);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button data-testid="show-history" onClick={() => setOpen(true)}>
        {say("history")}
      </Button>
      {open ? <HistoryDialog phoneNumber={phoneNumber} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Remove({ phoneNumber }: { readonly phoneNumber: string }) {
  const say = useTexts(TEXTS);
  const [open, setOpen] = useState(false);
  const command = useCommand(PATH);
  const confirmed = async () => {
    const done = await command.run(() => remove(`${PATH}/:phoneNumber`, { params: { phoneNumber } }));
    if (done !== undefined) setOpen(false);
  };
  return (
    <>
      <Button look="danger" data-testid="remove" onClick={() => setOpen(true)}>
        {say("remove")}
      </Button>
      {open ? (
        <Confirm
          title={say("remove.title", { number: phoneNumber })}
          action={say("remove")}
          command={command}
          onConfirm={() => void confirmed()}
          onClose={() => setOpen(false)}
        >
          <p>{say("remove.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
