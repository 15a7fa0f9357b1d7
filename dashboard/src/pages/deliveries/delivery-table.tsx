import type { DeliveryRecord } from "../../../../contract/delivery.ts";
import { Digits, Table } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
const COLUMNS = ["event", "status", "attempts", "created", "next", "open"] as const;
const TONES = {
  pending: "quiet",
  sending: "accent",
  delivered: "good",
  retrying: "wait",
  held: "wait",
  dead: "bad",
} as const;

type TableProps = { readonly rows: readonly DeliveryRecord[]; readonly onOpen: (id: string) => void };

export function DeliveryTable({ rows, onOpen }: TableProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const heads = COLUMNS.map((column) =>
    column === "attempts" ? { number: say(`column.${column}`) } : say(`column.${column}`),
  );
  return (
    <Table label={say("list.label")} heads={heads}>
      {rows.map((row) => (
        <tr key={row.id} data-delivery={row.id} data-status={row.status}>
          <td>
            <code>{row.event}</code>
          </td>
          <td>
            <DeliveryBadge status={row.status} />
          </td>
          <Digits>{number(row.attempts)}</Digits>
          <td>
            <Time at={row.createdAt} />
          </td>
          <td>
            <Time at={row.nextAttemptAt} />
          </td>
          <td>
            <Button data-opens="" aria-label={`${say("open")}: ${row.event}`} onClick={() => onOpen(row.id)}>
              {say("open")}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function DeliveryBadge({ status }: { readonly status: DeliveryRecord["status"] }) {
  const say = useTexts(TEXTS);
  return <Badge tone={TONES[status]}>{say(`status.${status}`)}</Badge>;
}
