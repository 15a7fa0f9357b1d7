import { Link } from "@tanstack/react-router";
import type { DeliveryRecord } from "../../../../contract/delivery.ts";
import { More, Muted, Table } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { TEXTS } from "./texts.ts";

const PATH = "/api/v1/webhook/deliveries";
const TONES = {
  pending: "quiet",
  sending: "accent",
  delivered: "good",
  retrying: "wait",
  held: "wait",
  dead: "bad",
} as const satisfies Record<DeliveryRecord["status"], unknown>;

/** Webhook deliveries about this call. */
export function Deliveries({ callId }: { readonly callId: string }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const list = useList(PATH, { query: { callId } });
  useRefresh(PATH, ({ stream, data }) => data["callId"] === callId || stream.endsWith(callId));
  return (
    <>
      <h2>{say("deliveries")}</h2>
      {list.isError ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isSuccess && list.rows.length === 0 ? <Muted>{say("deliveries.none")}</Muted> : null}
      {list.rows.length === 0 ? null : (
        <Table label={say("deliveries")} heads={[say("event"), say("status"), say("attempts"), say("at")]}>
          {list.rows.map(({ id, event, status, attempts, createdAt }) => (
            <tr key={id} data-delivery={id} data-status={status}>
              <td>
                <Link to="/deliveries" search={{ callId, id }}>
                  {event}
                </Link>
              </td>
              <td>
                <Badge tone={TONES[status]}>{say(`delivery.${status}`)}</Badge>
              </td>
              <td>{number(attempts)}</td>
              <td>
                <Time at={createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <More list={list} />
    </>
  );
}
