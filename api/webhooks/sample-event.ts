import { z } from "zod";
import type { WebhookSample } from "../../application/ports/webhook-settings.ts";
import { campaignData } from "../../application/webhook/campaign-entry.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import {
  type CallWebhookKind,
  type CampaignWebhookKind,
  isCallKind,
  WEBHOOK_KINDS,
  type WebhookEventKind,
} from "../../domain/webhook/kinds.ts";
import { campaign, statistics } from "../campaigns/record-schemas.ts";

/** The part of `Ids` that a sample needs. */
export type SampleIds = {
  readonly next: (prefix: "call" | "cmp" | "pn" | "ast") => string;
  readonly uuid: () => string;
};

/**
 * An event in the form of real ones (docs/api.md §7 and §13), about a call or a campaign that does not exist.
 */
export function sampleEvent(ids: SampleIds, now: Instant, event: WebhookEventKind): WebhookSample {
  const data = isCallKind(event) ? CALL_SAMPLES[event](ids, now) : campaignSample(ids, now, event);
  return { event, eventId: data.eventId, body: JSON.stringify({ event, data }) };
}

const CALL_SAMPLES = {
  "call.started": startedData,
  "call.ended": endedData,
} as const satisfies Readonly<Record<CallWebhookKind, (ids: SampleIds, now: Instant) => object>>;

function startedData(ids: SampleIds, now: Instant) {
  const connectedAt = plusMillis(now, -60_000);
  return {
    eventId: ids.uuid(),
    sequence: WEBHOOK_KINDS["call.started"].sequence,
    occurredAt: connectedAt,
    callId: ids.next("call"),
    status: "connected",
    type: "outbound",
    from: "+15005550000",
    to: "+15005550006",
    phoneNumberId: ids.next("pn"),
    assistantId: ids.next("ast"),
    assistantVersion: 1,
    squadId: null,
    campaignId: null,
    contactId: null,
    attempt: 1,
    answeredBy: "human",
    createdAt: plusMillis(connectedAt, -6_000),
    startedAt: connectedAt,
    metadata: { test: true },
  };
}

function endedData(ids: SampleIds, now: Instant) {
  const started = startedData(ids, now);
  const { assistantId, startedAt } = started;
  const endedAt = plusMillis(startedAt, 42_000);
  const message = {
    index: 0,
    role: "assistant",
    assistantId,
    content: "Hello!",
    at: startedAt,
    offsetMs: 0,
    kind: "greeting",
    turn: 0,
  };
  return {
    ...started,
    sequence: WEBHOOK_KINDS["call.ended"].sequence,
    occurredAt: endedAt,
    status: "completed",
    endReason: "customer_ended",
    endedBy: "customer",
    connectedAt: startedAt,
    endedAt,
    durationSeconds: 42,
    messages: [message],
    recordingUrl: null,
    recordingStatus: "none",
    cost: 0.7,
    error: null,
    maxAttempts: 1,
    isFinalAttempt: true,
    nextAttemptAt: null,
    contactName: null,
    customData: null,
  };
}

/** The record from the API's examples, in its state after such an event. */
function campaignSample(ids: SampleIds, now: Instant, kind: CampaignWebhookKind) {
  const { status } = WEBHOOK_KINDS[kind];
  const reason = status === "PAUSED" ? "manual" : null;
  const record = {
    ...exampleOf(campaign),
    id: ids.next("cmp"),
    status,
    pauseReason: reason,
    metadata: { test: true },
    createdAt: plusMillis(now, -60_000),
    updatedAt: now,
    startedAt: plusMillis(now, -30_000),
    completedAt: status === "COMPLETED" ? now : null,
  };
  return campaignData(ids.uuid(), now, record, exampleOf(statistics), reason);
}

function exampleOf<Schema extends z.ZodObject>(schema: Schema): object {
  const examples: unknown = z.globalRegistry.get(schema)?.["examples"];
  const example: unknown = Array.isArray(examples) ? examples[0] : null;
  if (typeof example !== "object" || example === null) throw new Error("The schema has no example");
  return example;
}
