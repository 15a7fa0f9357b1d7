import { kindThatTells, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import type { Observer } from "./observer.ts";
import type { Shared } from "./shared-world.ts";

/** Every event of the campaign is queued once, in log order, with the record of its moment. */
export function judgeCampaignWebhooks({ outbox }: Shared, { events }: Observer): readonly string[] {
  const happened = events.flatMap(({ event, stored: { revision } }) => {
    const kind = kindThatTells(event.type);
    return kind === null ? [] : [`${kind}@${revision} ${WEBHOOK_KINDS[kind].status} adds up`];
  });
  const queued = [...outbox.deliveries.values()].flatMap(({ entry: { callId, kind, sequence, body } }) => {
    if (callId !== null) return [];
    const { campaign, statistics } = JSON.parse(body).data;
    const { successfulCalls, failedCalls, pendingCalls, activeCalls, skippedContacts } = campaign;
    const sum = successfulCalls + failedCalls + pendingCalls + activeCalls + skippedContacts;
    const addsUp = campaign.totalContacts === sum && statistics.totalContacts === sum;
    return [`${kind}@${sequence} ${campaign.status} ${addsUp ? "adds up" : "does not add up"}`];
  });
  const different = happened.length !== queued.length || happened.some((line, at) => line !== queued[at]);
  return different ? [`told of the campaign: ${queued.join(", ")}; it was: ${happened.join(", ")}`] : [];
}
