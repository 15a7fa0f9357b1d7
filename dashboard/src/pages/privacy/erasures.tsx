import { Link } from "@tanstack/react-router";
import type { ErasureRecord } from "../../../../contract/erasure.ts";
import { More, Table } from "../../records/records.tsx";
import type { useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { type ERASURES, TEXTS } from "./texts.ts";

type Erasures = ReturnType<typeof useList<typeof ERASURES>>;

export function Erasures({ list }: { readonly list: Erasures }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const counts = ["calls", "recordings", "deliveries"] as const;
  const heads = [say("what"), ...counts.map((count) => say(count)), say("begun"), say("status")];
  return (
    <Panel title={say("list")}>
      {list.rows.length === 0 ? <p>{say("list.none")}</p> : null}
      {list.rows.length === 0 ? null : (
        <Table label={say("list")} heads={heads}>
          {list.rows.map((erasure) => (
            <tr
              key={erasure.id}
              data-erasure={erasure.id}
              data-kind={erasure.kind}
              data-status={erasure.status}
            >
              <td>
                {say(`kind.${erasure.kind}`)} <Of erasure={erasure} />
              </td>
              {counts.map((count) => (
                <td key={count}>{number(erasure[count])}</td>
              ))}
              <td>
                <Time at={erasure.createdAt} />
              </td>
              <td>
                <Badge tone={erasure.status === "done" ? "good" : "wait"}>
                  {say(`status.${erasure.status}`)}
                </Badge>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More list={list} />
    </Panel>
  );
}

/** A link to its subject, if that can be opened. */
function Of({ erasure: { callId, phoneNumber } }: { readonly erasure: ErasureRecord }) {
  if (callId !== null)
    return (
      <Link to="/calls/$id" params={{ id: callId }}>
        {callId}
      </Link>
    );
  if (phoneNumber === null) return null;
  return (
    <Link to="/numbers/$number" params={{ number: phoneNumber }} dir="ltr">
      {phoneNumber}
    </Link>
  );
}
