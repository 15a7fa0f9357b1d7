import { z } from "zod";
import type { WebhookSample } from "../../application/ports/webhook-settings.ts";
import { campaignRecord, campaignStatistics } from "../../contract/campaign.ts";
import { CALL_BODIES, NUMBER_BODIES, type SampleIds } from "../../contract/webhook-body.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import {
  type CampaignWebhookKind,
  isCallKind,
  isNumberKind,
  WEBHOOK_KINDS,
  type WebhookEventKind,
} from "../../domain/webhook/kinds.ts";

/**
 * An event in the form of real ones (docs/api.md §7 and §13), about a call, a campaign or a number that does
 * not exist.
 */
export function sampleEvent(ids: SampleIds, now: Instant, event: WebhookEventKind): WebhookSample {
  const data = sampleData(ids, now, event);
  return { event, eventId: data.eventId, body: JSON.stringify({ event, data }) };
}

function sampleData(ids: SampleIds, now: Instant, event: WebhookEventKind) {
  if (isCallKind(event)) return CALL_BODIES[event].sample(ids, now);
  return isNumberKind(event) ? NUMBER_BODIES[event].sample(ids, now) : campaignSample(ids, now, event);
}

/** The record from the API's examples, in its state after such an event. */
function campaignSample(ids: SampleIds, now: Instant, kind: CampaignWebhookKind) {
  const { status } = WEBHOOK_KINDS[kind];
  const reason = status === "PAUSED" ? "manual" : null;
  const record = {
    ...exampleOf(campaignRecord),
    id: ids.next("cmp"),
    status,
    pauseReason: reason,
    metadata: { test: true },
    createdAt: plusMillis(now, -60_000),
    updatedAt: now,
    startedAt: plusMillis(now, -30_000),
    completedAt: status === "COMPLETED" ? now : null,
  };
  const statistics = { ...exampleOf(campaignStatistics), outcomes: undefined };
  return { eventId: ids.uuid(), occurredAt: now, campaign: record, statistics, reason };
}

function exampleOf<Schema extends z.ZodObject>(schema: Schema): object {
  const examples: unknown = z.globalRegistry.get(schema)?.["examples"];
  const example: unknown = Array.isArray(examples) ? examples[0] : null;
  if (typeof example !== "object" || example === null) throw new Error("The schema has no example");
  return example;
}
