import { z } from "zod";
import {
  CALL_KINDS,
  CAMPAIGN_KINDS,
  type CallWebhookKind,
  type CampaignWebhookKind,
  type WebhookEventKind,
} from "../../domain/webhook/kinds.ts";
import { callRecord } from "../calls/schemas.ts";
import { campaign, statistics } from "../campaigns/record-schemas.ts";
import { anyObject, instant } from "../schema.ts";

const eventId = z
  .string()
  .describe("Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id");
const occurredAt = instant.describe("When it happened (ISO 8601, UTC)");
const count = z.number().meta({ type: "integer", minimum: 1 });

const { shape: call } = callRecord;
const callHead = {
  eventId,
  sequence: count.describe("Place in the order of the events of its call, counted from 1"),
  occurredAt,
  callId: call.callId,
};
const callParts = {
  type: call.type,
  from: call.from,
  to: call.to,
  phoneNumberId: call.phoneNumberId,
  assistantId: call.assistantId,
  assistantVersion: call.assistantVersion,
  squadId: call.squadId,
  campaignId: call.campaignId,
  contactId: call.contactId,
  attempt: call.attempt,
  answeredBy: call.answeredBy,
  createdAt: call.createdAt,
  startedAt: call.startedAt,
  metadata: call.metadata,
};

/** `data` of each kind of call (docs/api.md §7). */
const CALL_DATA = {
  "call.started": z.object({ ...callHead, status: z.literal("connected"), ...callParts }),
  "call.ended": z.object({
    ...callHead,
    status: z.enum(["completed", "failed"]),
    ...callParts,
    endReason: call.endReason.unwrap(),
    endedBy: call.endedBy,
    connectedAt: call.connectedAt,
    endedAt: call.endedAt.unwrap(),
    durationSeconds: call.durationSeconds,
    messages: call.messages,
    messagesTruncated: z
      .literal(true)
      .optional()
      .describe("There when the last messages were left out, to keep the body within 256 KiB"),
    recordingUrl: call.recordingUrl,
    recordingStatus: call.recordingStatus,
    cost: call.cost,
    error: call.error,
    maxAttempts: count
      .nullable()
      .describe("Number of attempts of this contact, at the most; a single call: 1; null: unknown"),
    isFinalAttempt: z.boolean().nullable().describe("The contact is not called again; null: unknown"),
    nextAttemptAt: instant.nullable().describe("When the contact is due again (ISO 8601, UTC)"),
    contactName: z.string().nullable().describe("Name of the contact; null: none, or a single call"),
    customData: anyObject.nullable().describe("Data of the contact; null for a single call"),
  }),
} as const satisfies Readonly<Record<CallWebhookKind, z.ZodObject>>;

const CAMPAIGN_DATA = z.object({
  eventId,
  occurredAt,
  campaign,
  statistics,
  reason: campaign.shape.pauseReason.describe("Why it was paused; null for every kind but campaign.paused"),
});

type EventBody = z.ZodObject<{ event: z.ZodType; data: z.ZodObject }>;

/** Body of each kind, as it is sent. */
export const EVENT_BODIES: ReadonlyMap<WebhookEventKind, EventBody> = new Map<WebhookEventKind, EventBody>([
  ...CALL_KINDS.map((kind) => [kind, bodyOf(kind, CALL_DATA[kind])] as const),
  ...CAMPAIGN_KINDS.map((kind) => [kind, bodyOf(kind, CAMPAIGN_DATA)] as const),
]);

function bodyOf(event: CallWebhookKind | CampaignWebhookKind, data: z.ZodObject): EventBody {
  const named = z.literal(event).describe("Kind of the event");
  return z.object({ event: named, data }).meta({ id: componentOf(event) });
}

/** `call.started` is `CallStartedWebhook` in the document. */
export function componentOf(kind: WebhookEventKind): string {
  const words = kind.split(".").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Webhook`;
}
