import { useState } from "react";
import type { HandoffRecord } from "../../../../contract/handoff.ts";
import type { SquadRecord } from "../../../../contract/squad.ts";
import { remove } from "../../api/request.ts";
import { Fault, Muted, Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Panel } from "../../ui/controls.tsx";
import { PATH, TEXTS } from "../squads/texts.ts";
import { HANDOFF, HandoffForm } from "./handoff-form.tsx";
import { type Named, nameIn, useAssistants } from "./use-assistants.ts";

/** Who hands over to whom, and when. */
export function Handoffs({ squad, mayWrite }: { readonly squad: SquadRecord; readonly mayWrite: boolean }) {
  const say = useTexts(TEXTS);
  const assistants = useAssistants();
  const [edited, setEdited] = useState<HandoffRecord | "new" | null>(null);
  const heads = [
    say("from"),
    say("to"),
    say("when"),
    say("context"),
    say("enabled"),
    ...(mayWrite ? [say("actions")] : []),
  ];
  const add = (
    <Button data-testid="add-handoff" onClick={() => setEdited("new")}>
      {say("handoff.add")}
    </Button>
  );
  return (
    <Panel title={say("handoffs")} actions={mayWrite && squad.members.length > 1 ? add : undefined}>
      {squad.handoffs.length === 0 ? (
        <Muted>{say("handoff.none")}</Muted>
      ) : (
        <Table label={say("handoffs")} heads={heads}>
          {squad.handoffs.map((handoff) => (
            <HandoffRow
              key={handoff.id}
              squadId={squad.id}
              handoff={handoff}
              assistants={assistants}
              onChange={mayWrite ? () => setEdited(handoff) : null}
            />
          ))}
        </Table>
      )}
      {edited === null ? null : (
        <HandoffForm
          squad={squad}
          of={edited === "new" ? null : edited}
          assistants={assistants}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

type RowProps = {
  readonly squadId: string;
  readonly handoff: HandoffRecord;
  readonly assistants: readonly Named[];
  /** null: it may not be changed. */
  readonly onChange: (() => void) | null;
};

function HandoffRow({ squadId, handoff, assistants, onChange }: RowProps) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(PATH);
  const { id, fromAssistantId, toAssistantId, description, toolName, contextMode, enabled } = handoff;
  return (
    <tr data-handoff={id}>
      <td>
        <UserText>{nameIn(assistants, fromAssistantId)}</UserText>
      </td>
      <td>
        <UserText>{nameIn(assistants, toAssistantId)}</UserText>
      </td>
      <td>
        <UserText>{description}</UserText>
        <div>
          <code>{toolName}</code>
        </div>
      </td>
      <td>{say(`context.${contextMode}`)}</td>
      <td>
        <Badge tone={enabled ? "good" : "quiet"}>{say(enabled ? "on" : "off")}</Badge>
      </td>
      {onChange === null ? null : (
        <td>
          <Row>
            <Button data-testid="change-handoff" onClick={onChange}>
              {say("handoff.change")}
            </Button>
            <Button
              look="danger"
              data-testid="remove-handoff"
              disabled={busy}
              onClick={() => void run(() => remove(HANDOFF, { params: { id: squadId, handoffId: id } }))}
            >
              {say("remove")}
            </Button>
          </Row>
          <Fault error={fault} />
        </td>
      )}
    </tr>
  );
}
