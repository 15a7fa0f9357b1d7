import { Link } from "@tanstack/react-router";
import { Muted } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { TEXTS } from "../assistants/texts.ts";

/** Squads of which it is a member. */
export function UsedBy({ assistantId }: { readonly assistantId: string }) {
  const say = useTexts(TEXTS);
  const enabled = useAllowed()("squads:read");
  const squads = useList("/api/v1/squads", { query: ALL, enabled });
  if (!squads.isSuccess) return null;
  const users = squads.rows.filter(({ members }) =>
    members.some((member) => member.assistantId === assistantId),
  );
  return (
    <Panel title={say("used")}>
      {users.length === 0 ? <Muted>{say("used.none")}</Muted> : null}
      <ul>
        {users.map(({ id, name }) => (
          <li key={id}>
            <Link to="/squads/$id" params={{ id }} data-user-text="" dir="auto">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
