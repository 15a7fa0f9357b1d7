import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CampaignRecord } from "../../../../contract/campaign.ts";
import type { WebhookRecord } from "../../../../contract/webhook.ts";
import { Muted } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { StatusBadge } from "../campaign/status-badge.tsx";
import { webhookQuery } from "../webhooks/webhook-api.ts";
import { Name } from "./campaign-cards.tsx";
import { useCreditDays } from "./figures.tsx";
import styles from "./overview.module.css";
import { TEXTS } from "./texts.ts";

/** Credits that last no longer are told while there is still time to buy some. */
const FEW_DAYS = 3;

/** What waits for somebody: campaigns that stay paused, a failing webhook, credits that end. */
export function Attention({ stopped }: { readonly stopped: readonly CampaignRecord[] }) {
  const say = useTexts(TEXTS);
  const items = [
    ...stopped.map((campaign) => (
      <li key={campaign.id} data-campaign={campaign.id}>
        <Name campaign={campaign} />
        <StatusBadge status={campaign.status} pauseReason={campaign.pauseReason} />
      </li>
    )),
    ...useWebhookItems(),
    ...useCreditItems(),
  ];
  return (
    <Panel title={say("attention")}>
      {items.length > 0 ? (
        <ul className={styles.list}>{items}</ul>
      ) : (
        <p className={styles.calm}>
          <Icon of="good" />
          <Muted>{say("attention.none")}</Muted>
        </p>
      )}
    </Panel>
  );
}

const WEBHOOK_TONES = { disabled: "wait", misconfigured: "bad" } as const;

function useWebhookItems(): readonly ReactNode[] {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { data } = useQuery({ ...webhookQuery, enabled: useAllowed()("webhooks:*") });
  if (data === undefined || data === null || !isFailing(data)) return [];
  const { status, held, dead } = data;
  return [
    <li key="webhook" data-testid="webhook-health" data-value={status}>
      <Link to="/webhooks">{say("webhook")}</Link>
      {status === "enabled" ? null : <Badge tone={WEBHOOK_TONES[status]}>{say(`webhook.${status}`)}</Badge>}
      {held + dead === 0 ? null : (
        <Muted>{say("webhook.failed", { held: number(held), dead: number(dead) })}</Muted>
      )}
    </li>,
  ];
}

const isFailing = ({ status, held, dead }: WebhookRecord): boolean => status !== "enabled" || held + dead > 0;

function useCreditItems(): readonly ReactNode[] {
  const say = useTexts(TEXTS);
  const { account, available, days } = useCreditDays();
  if (account.data === undefined) return [];
  const isShort = days !== undefined && days !== null && days < FEW_DAYS;
  if (available > 0 && !isShort) return [];
  return [
    <li key="credits">
      <Link to="/credits">{say("attention.credits")}</Link>
      <Badge tone={available > 0 ? "wait" : "bad"}>
        {say(available > 0 ? "attention.short" : "attention.spent")}
      </Badge>
    </li>,
  ];
}
