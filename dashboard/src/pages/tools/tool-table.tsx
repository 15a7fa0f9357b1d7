import { useState } from "react";
import type { SecretRecord } from "../../../../contract/secret.ts";
import type { ToolRecord } from "../../../../contract/tool.ts";
import { remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { Row, Table, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { missingSecrets } from "./config.ts";
import { PATH, TEXTS, TOOL } from "./texts.ts";

type Opening = (what: "change" | "try", tool: ToolRecord) => void;

export function ToolTable({
  tools,
  secrets,
  mayWrite,
  onOpen,
}: {
  readonly tools: readonly ToolRecord[];
  readonly secrets: readonly SecretRecord[];
  readonly mayWrite: boolean;
  readonly onOpen: Opening;
}) {
  const say = useTexts(TEXTS);
  const there = new Set(secrets.map(({ name }) => name));
  const heads = [
    say("name"),
    say("type"),
    say("description"),
    say("updated"),
    ...(mayWrite ? [say("actions")] : []),
  ];
  return (
    <Table label={say("title")} heads={heads}>
      {tools.map((tool) => (
        <tr key={tool.id} data-tool={tool.id}>
          <td>
            <UserText>{tool.name}</UserText>
            {missingSecrets(tool, there).map((name) => (
              <div key={name} data-missing-secret={name}>
                <Badge tone="bad">{say("missing", { name })}</Badge>
              </div>
            ))}
          </td>
          <td>{say(`type.${tool.type}`)}</td>
          <td>
            <UserText>{tool.description}</UserText>
          </td>
          <td>
            <Time at={tool.updatedAt} />
          </td>
          {mayWrite ? (
            <td>
              <Actions tool={tool} onOpen={onOpen} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}

function Actions({ tool, onOpen }: { readonly tool: ToolRecord; readonly onOpen: Opening }) {
  const say = useTexts(TEXTS);
  const [asks, setAsks] = useState(false);
  const command = useCommand(PATH);
  const canTry = tool.type === "API_REQUEST" || tool.type === "DATABASE_QUERY";
  return (
    <>
      <Row>
        {canTry ? (
          <Button data-testid="try" onClick={() => onOpen("try", tool)}>
            {say("try")}
          </Button>
        ) : null}
        <Button data-testid="change" onClick={() => onOpen("change", tool)}>
          {say("change")}
        </Button>
        <Button look="danger" data-testid="remove" onClick={() => setAsks(true)}>
          {say("remove")}
        </Button>
      </Row>
      {asks ? (
        <Confirm
          title={say("remove.title", { name: tool.name })}
          action={say("remove")}
          command={command}
          onConfirm={() => void command.run(() => remove(TOOL, { params: { toolId: tool.id } }))}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </>
  );
}
