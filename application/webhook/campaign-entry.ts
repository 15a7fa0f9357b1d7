import type { CampaignBody } from "../../contract/webhook-body.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import { isCampaignEvent } from "../../domain/event-kinds.ts";
import { type CampaignWebhookKind, kindThatTells } from "../../domain/webhook/kinds.ts";
import { withEffectiveCap } from "../campaign/effective-cap.ts";
import type { CampaignMoments } from "../ports/campaign-moments.ts";
import type { Directory } from "../ports/directory.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";
import type { Ids } from "../ports/ids.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";

export type CampaignEntryDeps = {
  readonly campaignMoments: CampaignMoments;
  readonly directory: Pick<Directory, "owner">;
  readonly ids: Pick<Ids, "derivedUuid">;
};

/** A campaign event that a webhook announces, and the id of that webhook event. */
export type TellableChange = {
  readonly kind: CampaignWebhookKind;
  readonly eventId: string;
  readonly event: CampaignEvent;
  readonly revision: number;
};

/** null: no webhook announces events of this type. */
export function tellableChange(
  ids: CampaignEntryDeps["ids"],
  { id, event, revision }: RecordedEvent,
): TellableChange | null {
  const kind = kindThatTells(event.type);
  if (kind === null || !isCampaignEvent(event)) return null;
  // By the event's own id: after a restore another event may have the same revision.
  return { kind, eventId: ids.derivedUuid(`${id}:${kind}`), event, revision };
}

/**
 * A campaign's webhook: its record right after the event, and the statistics at that moment, whatever has
 * happened since. Only the effective cap is that of the owner's plan when the body is made. null: the log
 * does not know the campaign.
 */
export async function campaignEntry(
  deps: CampaignEntryDeps,
  { kind, eventId, event, revision }: TellableChange,
): Promise<OutboxEntry | null> {
  const { campaignId, at } = event.data;
  const moment = await deps.campaignMoments.rightAfter(campaignId, revision);
  if (moment === null) return null;
  const owner = moment.campaign.userId;
  const [campaign] = await withEffectiveCap(deps, owner, [moment.campaign]);
  if (campaign === undefined) return null;
  const { statistics } = moment;
  const data: CampaignBody = { eventId, occurredAt: at, campaign, statistics, reason: reasonOf(event) };
  const body = JSON.stringify({ event: kind, data });
  return { eventId, owner, kind, callId: null, campaignId, sequence: revision, occurredAt: at, body };
}

function reasonOf(event: CampaignEvent): CampaignBody["reason"] {
  return event.type === "CampaignPaused" ? event.data.reason : null;
}
