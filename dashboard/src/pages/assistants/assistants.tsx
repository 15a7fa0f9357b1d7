import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/request.ts";
import { Digits, Form, More, Row, Table } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field, TextField } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { LiveBadge } from "./live-badge.tsx";
import { PATH, TEXTS } from "./texts.ts";

export function Assistants() {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const list = useList(PATH, { query: ALL });
  const [open, setOpen] = useState(false);
  return (
    <>
      <Page
        name="assistants"
        title={say("title")}
        state={stateOf({ ...list, isEmpty: list.rows.length === 0 })}
        failure={list.error}
        onRetry={() => void list.refetch()}
        empty={<p>{say("empty")}</p>}
        actions={
          <Button look="strong" data-testid="add" onClick={() => setOpen(true)}>
            {say("add")}
          </Button>
        }
      >
        <Table
          label={say("title")}
          heads={[say("name"), say("live"), { number: say("versions") }, say("updated")]}
        >
          {list.rows.map(({ id, name, publishedVersion, versions, updatedAt }) => (
            <tr key={id} data-assistant={id}>
              <td>
                <Link to="/assistants/$id" params={{ id }} data-user-text="" dir="auto">
                  {name}
                </Link>
              </td>
              <td>
                <LiveBadge version={publishedVersion} />
              </td>
              <Digits>{number(versions)}</Digits>
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
    const text = (name: string) => String(fields.get(name));
    const [name, greetingMessage, systemPrompt] = [
      text("name"),
      text("greetingMessage"),
      text("systemPrompt"),
    ];
    const made = await run(() => post(PATH, { body: { name, greetingMessage, systemPrompt } }));
    if (made !== undefined) void navigate({ to: "/assistants/$id", params: { id: made.id } });
  };
  return (
    <Dialog title={say("add")} onClose={onClose}>
      <Form onSubmit={make} fault={fault}>
        <Field label={say("field.name")} name="name" required maxLength={255} />
        <TextField label={say("field.greetingMessage")} name="greetingMessage" required rows={3} />
        <TextField label={say("field.systemPrompt")} name="systemPrompt" required rows={6} />
        <p>{say("make.told")}</p>
        <Row>
          <Button type="submit" look="strong" data-testid="create" disabled={busy}>
            {say("make")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}
