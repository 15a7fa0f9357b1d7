import type { DeliveryRecord } from "../../../../contract/delivery.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={layout.scroll} tabIndex={0} aria-label={say("list.label")}>
      <table className={layout.table}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={column === "attempts" ? layout.digits : undefined}>
                {say(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-delivery={row.id} data-status={row.status}>
              <td>
                <code>{row.event}</code>
              </td>
              <td>
                <DeliveryBadge status={row.status} />
              </td>
              <td className={layout.digits}>{number(row.attempts)}</td>
              <td>
                <Time at={row.createdAt} />
              </td>
              <td>
                <Time at={row.nextAttemptAt} />
              </td>
              <td>
                <Button
                  className={layout.opens}
                  aria-label={`${say("open")}: ${row.event}`}
                  onClick={() => onOpen(row.id)}
                >
                  {say("open")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function DeliveryBadge({ status }: { readonly status: DeliveryRecord["status"] }) {
  const say = useTexts(TEXTS);
  return <Badge tone={TONES[status]}>{say(`status.${status}`)}</Badge>;
}
