import type { WebhookRecord } from "../../../../contract/webhook.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Time } from "../../ui/time.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
const TONES = { enabled: "good", disabled: "wait", misconfigured: "bad" } as const;

export function EndpointBadge({ status }: Pick<WebhookRecord, "status">) {
  const say = useTexts(TEXTS);
  return (
    <Badge tone={TONES[status]} data-testid="webhook-status" data-value={status}>
      {say(`state.${status}`)}
    </Badge>
  );
}

/** Why the endpoint is switched off, and how many deliveries wait. */
export function EndpointState({ endpoint }: { readonly endpoint: WebhookRecord }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { disabledReason } = endpoint;
  return (
    <Panel title={say("state.title")}>
      <div className={layout.stack}>
        {disabledReason === null ? null : <p>{say(`reason.${disabledReason}`)}</p>}
        <dl className={layout.figures}>
          {(["pending", "held", "dead"] as const).map((name) => (
            <div key={name}>
              <dt>{say(`count.${name}`)}</dt>
              <dd data-count={name} data-value={endpoint[name]}>
                {number(endpoint[name])}
              </dd>
            </div>
          ))}
        </dl>
        {endpoint.oldestUndeliveredAt === null ? null : (
          <p className={layout.small}>
            {say("count.oldest")}: <Time at={endpoint.oldestUndeliveredAt} />
          </p>
        )}
        <p className={`${layout.muted} ${layout.small}`}>{say("endpoint.breaker")}</p>
      </div>
    </Panel>
  );
}
