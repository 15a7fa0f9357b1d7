import { useState } from "react";
import type { UserRecord } from "../../../../contract/user.ts";
import { Digits, More, Row, Table, UserText } from "../../records/records.tsx";
import { ALL, useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { KeyFor } from "./key-for.tsx";
import { PATH, TEXTS } from "./texts.ts";
import { TopUpOf } from "./top-up-of.tsx";
import { ChangeUser, NewUser } from "./user-form.tsx";

type What = "change" | "key" | "credits";
type Open = { readonly what: What; readonly user: UserRecord } | { readonly what: "new" } | null;

/** For operators: every owner of this installation. */
export function Users() {
  const say = useTexts(TEXTS);
  const list = useList(PATH, { query: ALL });
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const heads = [
    say("name"),
    say("active"),
    { number: say("lines") },
    { number: say("pace") },
    say("created"),
    say("actions"),
  ];
  return (
    <>
      <Page
        name="users"
        title={say("title")}
        state={stateOf({ ...list, isEmpty: list.rows.length === 0 })}
        failure={list.error}
        onRetry={() => void list.refetch()}
        empty={<p>{say("empty")}</p>}
        actions={
          <Button look="strong" data-testid="add" onClick={() => setOpen({ what: "new" })}>
            {say("add")}
          </Button>
        }
      >
        <p>{say("told")}</p>
        <Table label={say("title")} heads={heads}>
          {list.rows.map((user) => (
            <UserRow key={user.id} user={user} onOpen={(what) => setOpen({ what, user })} />
          ))}
        </Table>
        <More list={list} />
      </Page>
      {open?.what === "new" ? <NewUser onClose={close} /> : null}
      {open?.what === "change" ? <ChangeUser user={open.user} onClose={close} /> : null}
      {open?.what === "key" ? <KeyFor user={open.user} onClose={close} /> : null}
      {open?.what === "credits" ? <TopUpOf user={open.user} onClose={close} /> : null}
    </>
  );
}

function UserRow({ user, onOpen }: { readonly user: UserRecord; readonly onOpen: (what: What) => void }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { id, name, active, plan, createdAt } = user;
  return (
    <tr data-user={id} data-active={active}>
      <td>
        <UserText>{name}</UserText>
      </td>
      <td>
        <Badge tone={active ? "good" : "quiet"}>{say(active ? "active" : "inactive")}</Badge>
      </td>
      <Digits>{number(plan.maxConcurrentCalls)}</Digits>
      <Digits>{number(plan.maxCallsPerSecond)}</Digits>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <Row>
          <Button data-testid="change" onClick={() => onOpen("change")}>
            {say("change")}
          </Button>
          <Button data-testid="top-up" onClick={() => onOpen("credits")}>
            {say("top")}
          </Button>
          <Button data-testid="new-key" onClick={() => onOpen("key")}>
            {say("key.make")}
          </Button>
        </Row>
      </td>
    </tr>
  );
}
