import type { SquadRecord } from "../../../../contract/squad.ts";
import { patch, post, remove } from "../../api/request.ts";
import { Bar, Fault, Form, Muted, Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Choice, Panel } from "../../ui/controls.tsx";
import { PATH, TEXTS } from "../squads/texts.ts";
import { type Named, nameIn, useAssistants } from "./use-assistants.ts";

const MEMBERS = `${PATH}/:id/members` as const;
const MEMBER = `${MEMBERS}/:memberId` as const;

type Shown = { readonly squad: SquadRecord; readonly mayWrite: boolean };

export function Members({ squad, mayWrite }: Shown) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const assistants = useAssistants();
  const { busy, fault, run } = useCommand(PATH);
  const member = (memberId: string) => ({ id: squad.id, memberId });
  const heads = [say("assistant"), say("version"), say("entry"), ...(mayWrite ? [say("actions")] : [])];
  return (
    <Panel title={say("members")}>
      <div style={{ display: "grid", gap: 14 }}>
        {squad.members.length === 0 ? (
          <Muted>{say("member.none")}</Muted>
        ) : (
          <Table label={say("members")} heads={heads}>
            {squad.members.map(({ id, assistantId, assistantVersion, isEntry }) => (
              <tr key={id} data-member={id} data-entry={isEntry}>
                <td>
                  <UserText>{nameIn(assistants, assistantId)}</UserText>
                </td>
                <td>{assistantVersion === null ? say("latest") : number(assistantVersion)}</td>
                <td>{isEntry ? <Badge tone="accent">{say("entry")}</Badge> : "–"}</td>
                {mayWrite ? (
                  <td>
                    <Row>
                      {isEntry ? null : (
                        <Button
                          data-testid="make-entry"
                          disabled={busy}
                          onClick={() =>
                            void run(() => patch(MEMBER, { params: member(id), body: { isEntry: true } }))
                          }
                        >
                          {say("entry.make")}
                        </Button>
                      )}
                      <Button
                        look="danger"
                        data-testid="remove-member"
                        disabled={busy}
                        title={say("member.removed")}
                        onClick={() => void run(() => remove(MEMBER, { params: member(id) }))}
                      >
                        {say("remove")}
                      </Button>
                    </Row>
                  </td>
                ) : null}
              </tr>
            ))}
          </Table>
        )}
        <Fault error={fault} />
        {mayWrite ? <AddMember squad={squad} assistants={assistants} /> : null}
      </div>
    </Panel>
  );
}

function AddMember({
  squad,
  assistants,
}: {
  readonly squad: SquadRecord;
  readonly assistants: readonly Named[];
}) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const isIn = new Set(squad.members.map(({ assistantId }) => assistantId));
  const others = assistants.filter(({ id }) => !isIn.has(id));
  const add = (fields: FormData) =>
    run(() => post(MEMBERS, { params: squad, body: { assistantId: String(fields.get("assistantId")) } }));
  if (others.length === 0) return <Muted>{say("member.all")}</Muted>;
  return (
    <Form onSubmit={add} fault={fault}>
      <Bar>
        <Choice label={say("assistant")} name="assistantId">
          {others.map(({ id, name }) => (
            <option key={id} value={id} data-user-text="">
              {name}
            </option>
          ))}
        </Choice>
        <div>
          <Button type="submit" data-testid="add-member" disabled={busy}>
            {say("member.add")}
          </Button>
        </div>
      </Bar>
    </Form>
  );
}
