import { Link } from "@tanstack/react-router";
import { Digits, More, Muted, Table, UserText } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { shortened } from "../../ui/short-id.tsx";
import { Time } from "../../ui/time.tsx";
import { LEDGER, TEXTS } from "./texts.ts";

const TONES = { top_up: "good", reserve: "wait", release: "quiet", charge: "accent" } as const;

export function Ledger() {
  const say = useTexts(TEXTS);
  const { money } = useFormat();
  const list = useList(LEDGER);
  const heads = [
    say("at"),
    say("cause"),
    { number: say("amount") },
    { number: say("balance") },
    { number: say("reserved") },
    say("call"),
  ];
  return (
    <>
      <h2>{say("ledger")}</h2>
      {list.isError ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isSuccess && list.rows.length === 0 ? <Muted>{say("ledger.none")}</Muted> : null}
      {list.rows.length === 0 ? null : (
        <Table label={say("ledger")} heads={heads}>
          {list.rows.map(({ id, at, cause, amount, balance, reserved, callId, reference }) => (
            <tr key={id} data-entry={id} data-cause={cause}>
              <td>
                <Time at={at} />
              </td>
              <td>
                <Badge tone={TONES[cause]}>{say(`cause.${cause}`)}</Badge>
              </td>
              <Digits>{money(amount)}</Digits>
              <Digits>{money(balance)}</Digits>
              <Digits>{money(reserved)}</Digits>
              <td>
                {callId === null ? (
                  <UserText>{reference}</UserText>
                ) : (
                  <Link to="/calls/$id" params={{ id: callId }} title={callId}>
                    {shortened(callId)}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More list={list} />
    </>
  );
}
