import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { DeliveryDetailRecord } from "../../../../contract/delivery.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Button, Dialog } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { deliveryQuery, replay } from "./delivery-api.ts";
import { DeliveryBadge } from "./delivery-table.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

export function DeliveryDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const detail = useQuery(deliveryQuery(id));
  return (
    <Dialog title={say("detail.title")} onClose={onClose}>
      <div className={`${layout.stack} ${layout.wide}`} data-testid="delivery">
        {detail.isPending ? <p role="status">{say("detail.loading")}</p> : null}
        {detail.isError && detail.data === undefined ? (
          <Failure error={detail.error} onRetry={() => void detail.refetch()} />
        ) : null}
        {detail.data === undefined ? null : <Detail delivery={detail.data} />}
      </div>
    </Dialog>
  );
}

function Detail({ delivery }: { readonly delivery: DeliveryDetailRecord }) {
  const say = useTexts(TEXTS);
  const { callId, campaignId } = delivery;
  return (
    <>
      <div className={layout.row}>
        <DeliveryBadge status={delivery.status} />
        <code>{delivery.event}</code>
        <Time at={delivery.createdAt} />
      </div>
      <Fact label={say("detail.event")}>
        <code>{delivery.eventId}</code>
      </Fact>
      {callId === null ? null : (
        <Fact label={say("detail.call")}>
          <Link to={pathOfCall(callId)}>{callId}</Link>
        </Fact>
      )}
      {campaignId === null ? null : (
        <Fact label={say("detail.campaign")}>
          <Link to="/campaigns/$campaignId" params={{ campaignId }}>
            {campaignId}
          </Link>
        </Fact>
      )}
      <Fact label={say("detail.trigger")}>{say(`trigger.${delivery.trigger}`)}</Fact>
      {delivery.deliveredAt === null ? null : (
        <Fact label={say("detail.delivered")}>
          <Time at={delivery.deliveredAt} />
        </Fact>
      )}
      <Replay id={delivery.id} />
      <h3>{say("detail.attempts")}</h3>
      {delivery.attemptLog.length === 0 ? <p>{say("detail.no_attempts")}</p> : null}
      <AttemptList attempts={delivery.attemptLog} />
      {delivery.body === null ? null : (
        <>
          <h3>{say("detail.body")}</h3>
          <CodeBlock label={say("detail.body")} isForeign={true} data-testid="delivery-body">
            {delivery.body}
          </CodeBlock>
        </>
      )}
    </>
  );
}

const pathOfCall = (callId: string): string => `/calls/${callId}`;

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <p style={{ overflowWrap: "anywhere" }}>
      <span className={layout.muted}>{label}: </span>
      {children}
    </p>
  );
}

function Replay({ id }: { readonly id: string }) {
  const say = useTexts(TEXTS);
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [madeId, setMadeId] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const send = async () => {
    setBusy(true);
    setFault(null);
    try {
      setMadeId((await replay(id)).id);
      await queries.invalidateQueries({ queryKey: ["deliveries"] });
    } catch (error) {
      setFault(error);
    }
    setBusy(false);
  };
  return (
    <div className={layout.stack}>
      <Button data-testid="replay" disabled={busy} onClick={send}>
        {say("replay")}
      </Button>
      {fault === null ? null : (
        <p role="alert">
          <ErrorText error={fault} />
        </p>
      )}
      <p role="status" data-testid="replayed" data-value={madeId ?? ""}>
        {madeId === null ? null : say("replay.done")}
      </p>
    </div>
  );
}
