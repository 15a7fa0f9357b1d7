import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { SquadRecord } from "../../../../contract/squad.ts";
import { get, patch, remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel, TextField } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { PATH, TEXTS } from "../squads/texts.ts";
import { Handoffs } from "./handoffs.tsx";
import { Members } from "./members.tsx";

const SQUAD = `${PATH}/:id` as const;

export function Squad() {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const { id = "" } = useParams({ strict: false });
  const mayWrite = useAllowed()("squads:write");
  const squad = useQuery({
    queryKey: [PATH, id],
    queryFn: ({ signal }) => get(SQUAD, { params: { id }, signal }),
  });
  useRefresh(PATH, ({ type }) => type.startsWith("Squad"));
  const { data } = squad;
  const name = (
    <span data-user-text="" dir="auto">
      {data?.name}
    </span>
  );
  return (
    <Page
      name="squad"
      title={data === undefined ? say("about") : name}
      crumb={<Link to="/squads">{frame("nav.squads")}</Link>}
      state={stateOf({ ...squad, isEmpty: false })}
      failure={squad.error}
      onRetry={() => void squad.refetch()}
      actions={data !== undefined && mayWrite ? <Remove squad={data} /> : undefined}
    >
      {data === undefined ? null : (
        <>
          <Members squad={data} mayWrite={mayWrite} />
          <Handoffs squad={data} mayWrite={mayWrite} />
          {mayWrite ? <About key={`${data.name} ${data.description}`} squad={data} /> : null}
        </>
      )}
    </Page>
  );
}

function About({ squad }: { readonly squad: SquadRecord }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const save = (fields: FormData) =>
    run(() =>
      patch(SQUAD, {
        params: squad,
        body: { name: String(fields.get("name")), description: textOf(fields, "description") },
      }),
    );
  return (
    <Panel title={say("about")}>
      <Form onSubmit={save} fault={fault}>
        <Field label={say("name")} name="name" required maxLength={255} defaultValue={squad.name} />
        <TextField
          label={say("description")}
          name="description"
          dir="auto"
          rows={3}
          defaultValue={squad.description ?? ""}
        />
        <Row>
          <Button type="submit" data-testid="save" disabled={busy}>
            {say("save")}
          </Button>
        </Row>
      </Form>
    </Panel>
  );
}

function Remove({ squad: { id, name } }: { readonly squad: SquadRecord }) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const command = useCommand(PATH);
  const confirmed = () =>
    command.run(async () => {
      await remove(SQUAD, { params: { id } });
      await navigate({ to: "/squads" });
    });
  return (
    <>
      <Button look="danger" data-testid="remove" onClick={() => setAsks(true)}>
        {frame("delete")}
      </Button>
      {asks ? (
        <Confirm
          title={say("remove.title", { name })}
          action={frame("delete")}
          command={command}
          onConfirm={() => void confirmed()}
          onClose={() => setAsks(false)}
        >
          <p>{say("remove.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
