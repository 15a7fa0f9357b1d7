import type { ApiKeyRecord } from "../../../../contract/api-key.ts";
import { Table } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Time } from "../../ui/time.tsx";
import { en } from "./en.ts";
import { ScopeName } from "./scope-name.tsx";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

type KeyTableProps = {
  readonly rows: readonly ApiKeyRecord[];
  readonly ownKeyId: string;
  readonly onRevoke: (key: ApiKeyRecord) => void;
};

export function KeyTable({ rows, ownKeyId, onRevoke }: KeyTableProps) {
  const say = useTexts(TEXTS);
  const columns = ["name", "scopes", "created", "used", "expires", "actions"] as const;
  return (
    <Table label={say("list.title")} heads={columns.map((column) => say(`list.${column}`))}>
      {rows.map((row) => (
        <tr key={row.id} data-key={row.id}>
          <td>
            <span data-user-text="" dir="auto">
              {row.name}
            </span>{" "}
            {row.id === ownKeyId ? <Badge tone="accent">{say("list.this")}</Badge> : null}
          </td>
          <td>
            <div className={layout.choices}>
              {row.scopes.map((scope) => (
                <ScopeName key={scope} scope={scope} />
              ))}
            </div>
          </td>
          <td>
            <Time at={row.createdAt} />
          </td>
          <td>{row.lastUsedAt === null ? say("list.never") : <Time at={row.lastUsedAt} />}</td>
          <td>{row.expiresAt === null ? say("list.never") : <Time at={row.expiresAt} />}</td>
          <td>
            <Button
              look="danger"
              data-testid="revoke"
              aria-label={`${say("revoke")}: ${row.name}`}
              onClick={() => onRevoke(row)}
            >
              {say("revoke")}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
