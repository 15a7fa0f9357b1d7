import { Link } from "@tanstack/react-router";
import type { CallListRecord } from "../../../../contract/call.ts";
import { SuccessBadge } from "../../records/outcome.tsx";
import { Digits, Table } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Time } from "../../ui/time.tsx";
import { EndReason, StatusBadge, TEXTS } from "./words.tsx";

export function CallTable({
  label,
  calls,
}: {
  readonly label: string;
  readonly calls: readonly CallListRecord[];
}) {
  const say = useTexts(TEXTS);
  const { money, seconds } = useFormat();
  const hasSuccess = calls.some(({ outcome }) => outcome.success !== null);
  const heads = [
    say("number"),
    say("status"),
    say("end"),
    ...(hasSuccess ? [say("filter.success")] : []),
    say("created"),
    { number: say("duration") },
    { number: say("cost") },
  ];
  return (
    <Table label={label} heads={heads}>
      {calls.map(({ id, to, status, endReason, outcome, createdAt, durationSeconds, cost }) => (
        <tr key={id} data-call={id} data-status={status}>
          <td>
            <Link to="/calls/$id" params={{ id }}>
              {to}
            </Link>
          </td>
          <td>
            <StatusBadge status={status} />
          </td>
          <td>
            <EndReason endReason={endReason} />
          </td>
          {hasSuccess ? (
            <td>{outcome.success === null ? "–" : <SuccessBadge success={outcome.success} />}</td>
          ) : null}
          <td>
            <Time at={createdAt} />
          </td>
          <Digits>{durationSeconds === null ? "–" : seconds(durationSeconds)}</Digits>
          <Digits>{cost === null ? "–" : money(cost)}</Digits>
        </tr>
      ))}
    </Table>
  );
}
