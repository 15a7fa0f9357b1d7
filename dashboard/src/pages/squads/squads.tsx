import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/request.ts";
import { Digits, Form, More, Row, Table, textOf } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field, TextField } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { PATH, TEXTS } from "./texts.ts";

export function Squads() {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const list = useList(PATH, { query: ALL });
  const mayWrite = useAllowed()("squads:write");
  const [open, setOpen] = useState(false);
  useRefresh(PATH, ({ type }) => type.startsWith("Squad"));
  const add = (
    <Button look="strong" data-testid="add" onClick={() => setOpen(true)}>
      {say("add")}
    </Button>
  );
  return (
    <>
      <Page
        name="squads"
        title={say("title")}
        state={stateOf({ ...list, isEmpty: list.rows.length === 0 })}
        failure={list.error}
        onRetry={() => void list.refetch()}
        empty={<p>{say("empty")}</p>}
        actions={mayWrite ? add : undefined}
      >
        <Table
          label={say("title")}
          heads={[say("name"), { number: say("members") }, { number: say("handoffs") }, say("updated")]}
        >
          {list.rows.map(({ id, name, members, handoffs, updatedAt }) => (
            <tr key={id} data-squad={id}>
              <td>
                <Link to="/squads/$id" params={{ id }} data-user-text="" dir="auto">
                  {name}
                </Link>
              </td>
              <Digits>{number(members.length)}</Digits>
              <Digits>{number(handoffs.length)}</Digits>
              <td>
                <Time at={updatedAt} />
              </td>
            </tr>
          ))}
        </Table>
        <More list={list} />
      </Page>
      {open ? <New onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function New({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const { busy, fault, run } = useCommand(PATH);
  const make = async (fields: FormData) => {
    const body = { name: String(fields.get("name")), description: textOf(fields, "description") };
    const made = await run(() => post(PATH, { body }));
    if (made !== undefined) void navigate({ to: "/squads/$id", params: { id: made.id } });
  };
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Form onSubmit={make} fault={fault}>
        <Field label={say("name")} name="name" required maxLength={255} />
        <TextField label={say("description")} name="description" dir="auto" rows={3} />
        <Row>
          <Button type="submit" look="strong" data-testid="create" disabled={busy}>
            {say("make")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
