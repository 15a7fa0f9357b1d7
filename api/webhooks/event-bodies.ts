import { z } from "zod";
import { campaignRecord, wholeCampaign } from "../../contract/campaign.ts";
import { CALL_BODIES, eventId, occurredAt } from "../../contract/webhook-call.ts";
import {
  CALL_KINDS,
  CAMPAIGN_KINDS,
  type CallWebhookKind,
  type CampaignWebhookKind,
  type WebhookEventKind,
} from "../../domain/webhook/kinds.ts";

const CAMPAIGN_DATA = z.object({
  eventId,
  occurredAt,
  ...wholeCampaign,
  reason: campaignRecord.shape.pauseReason.describe(
    "Why it was paused; null for every kind but campaign.paused",
  ),
});

type EventBody = z.ZodObject<{ event: z.ZodType; data: z.ZodObject }>;

/** Body of each kind, as it is sent. */
export const EVENT_BODIES: ReadonlyMap<WebhookEventKind, EventBody> = new Map<WebhookEventKind, EventBody>([
  ...CALL_KINDS.map((kind) => [kind, bodyOf(kind, CALL_BODIES[kind].data)] as const),
  ...CAMPAIGN_KINDS.map((kind) => [kind, bodyOf(kind, CAMPAIGN_DATA)] as const),
]);

function bodyOf(event: CallWebhookKind | CampaignWebhookKind, data: z.ZodObject): EventBody {
  const named = z.literal(event).describe("Kind of the event");
  return z
    .object({ event: named, data: data.describe("The answer itself") })
    .meta({ id: componentOf(event) });
}

/** `call.started` is `CallStartedWebhook` in the document. */
export function componentOf(kind: WebhookEventKind): string {
  const words = kind.split(".").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Webhook`;
}
