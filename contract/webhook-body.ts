import { z } from "zod";
import { type Instant, plusMillis } from "../domain/shared/instant.ts";
import {
  CALL_KINDS,
  CAMPAIGN_KINDS,
  type CallWebhookKind,
  NUMBER_KINDS,
  type NumberWebhookKind,
  WEBHOOK_KINDS,
  type WebhookEventKind,
} from "../domain/webhook/kinds.ts";
import { callRecord } from "./call.ts";
import { campaignRecord, wholeCampaign } from "./campaign.ts";
import { anyObject, campaignIdOrNull, type DeepReadonly, instant } from "./fields.ts";
import { callOutcome, EXAMPLE_OUTCOME } from "./outcome.ts";
import { suppressionFields } from "./suppression.ts";

/** The part of `Ids` that a sample needs. */
export type SampleIds = {
  readonly next: (prefix: "call" | "cmp" | "pn" | "ast") => string;
  readonly uuid: () => string;
};

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

type OfKind = {
  /** `data` of its body (docs/api.md §7). */
  readonly data: z.ZodObject;
  readonly sample: (ids: SampleIds, now: Instant) => { readonly eventId: string };
};

const STATUS = "How far the call had come";

const started = z.object({ ...callHead, status: z.literal("connected").describe(STATUS), ...callParts });
export type CallStartedBody = DeepReadonly<z.infer<typeof started>>;

/** A field that a call has at its end. */
const known = <Field extends z.ZodType>(field: z.ZodNullable<Field>) =>
  field.unwrap().describe(field.description ?? "");

const ended = z.object({
  ...callHead,
  status: z.enum(["completed", "failed"]).describe(STATUS),
  ...callParts,
  endReason: known(call.endReason),
  endedBy: call.endedBy,
  connectedAt: call.connectedAt,
  endedAt: known(call.endedAt),
  durationSeconds: call.durationSeconds,
  messages: call.messages,
  messagesTruncated: z
    .literal(true)
    .optional()
    .describe("There when the last messages were left out, to keep the body within 256 KiB"),
  recordingUrl: call.recordingUrl,
  recordingStatus: call.recordingStatus,
  cost: call.cost.describe("Credits that the call cost, with 4 decimals"),
  error: call.error,
  optedOut: call.optedOut,
  callback: call.callback,
  maxAttempts: count
    .nullable()
    .describe("Number of attempts of this contact, at the most; a single call: 1; null: unknown"),
  isFinalAttempt: z.boolean().nullable().describe("The contact is not called again; null: unknown"),
  nextAttemptAt: instant.nullable().describe("When the contact is due again (ISO 8601, UTC)"),
  contactName: z.string().nullable().describe("Name of the contact; null: none, or a single call"),
  customData: anyObject.nullable().describe("Data of the contact; null for a single call"),
});

export type CallEndedBody = DeepReadonly<z.infer<typeof ended>>;

const analyzed = ended
  .omit({ messages: true, messagesTruncated: true })
  .extend({ outcome: callOutcome.describe("What the call brought home, right after this analysis") });
export type CallAnalyzedBody = DeepReadonly<z.infer<typeof analyzed>>;

const ofCampaign = z.object({
  eventId,
  occurredAt,
  ...wholeCampaign,
  reason: campaignRecord.shape.pauseReason.describe(
    "Why it was paused; null for every kind but campaign.paused",
  ),
});
export type CampaignBody = DeepReadonly<z.infer<typeof ofCampaign>>;

const suppressed = z.object({
  eventId,
  occurredAt,
  ...suppressionFields,
  campaignId: campaignIdOrNull.describe("The campaign of that call; null: none"),
});
export type NumberSuppressedBody = DeepReadonly<z.infer<typeof suppressed>>;

/** What each kind about a call says, and a sample of it. */
export const CALL_BODIES: Readonly<Record<CallWebhookKind, OfKind>> = {
  "call.started": { data: started, sample: startedData },
  "call.ended": { data: ended, sample: endedData },
  "call.analyzed": { data: analyzed, sample: analyzedData },
};

/** The same of each kind about a number. */
export const NUMBER_BODIES: Readonly<Record<NumberWebhookKind, OfKind>> = {
  "number.suppressed": { data: suppressed, sample: suppressedData },
};

type EventBody = z.ZodObject<{ event: z.ZodType; data: z.ZodObject }>;

/** Body of each kind, as it is sent. */
export const EVENT_BODIES: ReadonlyMap<WebhookEventKind, EventBody> = new Map<WebhookEventKind, EventBody>([
  ...CALL_KINDS.map((kind) => [kind, bodyOf(kind, CALL_BODIES[kind].data)] as const),
  ...CAMPAIGN_KINDS.map((kind) => [kind, bodyOf(kind, ofCampaign)] as const),
  ...NUMBER_KINDS.map((kind) => [kind, bodyOf(kind, NUMBER_BODIES[kind].data)] as const),
]);

function bodyOf(event: WebhookEventKind, data: z.ZodObject): EventBody {
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
    optedOut: null,
    callback: null,
    maxAttempts: 1,
    isFinalAttempt: true,
    nextAttemptAt: null,
    contactName: null,
    customData: null,
  };
}

function analyzedData(ids: SampleIds, now: Instant) {
  const { messages: _words, ...ended } = endedData(ids, now);
  const occurredAt = plusMillis(ended.endedAt, 2_000);
  const { sequence } = WEBHOOK_KINDS["call.analyzed"];
  return { ...ended, sequence, occurredAt, outcome: { ...EXAMPLE_OUTCOME, analysedAt: occurredAt } };
}

function suppressedData(ids: SampleIds, now: Instant) {
  return {
    eventId: ids.uuid(),
    occurredAt: now,
    phoneNumber: "+15005550006",
    reason: "Asked on the call not to be called again",
    source: "call",
    callId: ids.next("call"),
    campaignId: null,
  };
}
