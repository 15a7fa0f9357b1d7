import { z } from "zod";
import type { AttemptClass } from "../domain/webhook/attempt-outcome.ts";
import {
  answer,
  callIdOrNull,
  campaignIdOrNull,
  createdAt,
  type DeepReadonly,
  idOf,
  instant,
  instantInput,
  list,
  noBody,
  pageFields,
  reference,
} from "./fields.ts";
import { routes } from "./route.ts";
import { detail, httpStatus, response, webhookEvent, webhookEvents } from "./webhook.ts";

const deliveryStatus = z.enum(["pending", "sending", "delivered", "retrying", "held", "dead"]);

const deliveryFields = {
  id: idOf("dlv").describe("Id of the delivery"),
  eventId: z.string().describe("Id of the event, the same in every delivery of it"),
  event: webhookEvent.describe("Kind of the event"),
  callId: callIdOrNull,
  campaignId: campaignIdOrNull,
  status: deliveryStatus.describe("How far the delivery has come"),
  trigger: z
    .enum(["auto", "manual", "test"])
    .describe("What began it: the event itself, a replay, or a test"),
  attempts: z.number().meta({ type: "integer" }).describe("Number of attempts so far"),
  nextAttemptAt: instant
    .nullable()
    .describe("When the next attempt is made; ISO 8601, UTC; null: none is planned"),
  createdAt,
  deliveredAt: instant.nullable().describe("When the receiver took it; ISO 8601, UTC; null: not (yet)"),
};

const delivery = z.object(deliveryFields).meta({ id: "WebhookDelivery" });
export type DeliveryRecord = DeepReadonly<z.infer<typeof delivery>>;

const ATTEMPT_CLASSES = [
  "delivered",
  "gone",
  "throttled",
  "redirect",
  "refused",
  "unreachable",
  "blocked",
  "unknown",
] as const satisfies readonly AttemptClass[];

const millis = z.number().nullable();

const attempt = z
  .object({
    number: z.number().meta({ type: "integer" }).describe("Number of the attempt, counted from 1"),
    trigger: z
      .enum(["auto", "manual", "test", "recovery"])
      .describe("What began it; recovery: the attempt before ended unknown"),
    startedAt: instant.describe("When it began; ISO 8601, UTC"),
    class: z.enum(ATTEMPT_CLASSES).describe("How it ended"),
    status: httpStatus,
    detail,
    phases: z
      .object({
        dns: millis.describe("Milliseconds for the name; null: not reached"),
        connect: millis.describe("Milliseconds for the connection; null: not reached"),
        tls: millis.describe("Milliseconds for TLS; null: not reached, or not used"),
        firstByte: millis.describe("Milliseconds to the first byte of the answer; null: not reached"),
        total: z.number().describe("Milliseconds in all"),
      })
      .nullable()
      .describe("How long each step took; null: not known"),
    response,
    responseHeaders: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Headers of the answer; null: none"),
    remoteAddress: z.string().nullable().describe("IP address that was connected to; null: none"),
    secretId: z.string().nullable().describe("Which secret signed it; null: not signed"),
    nextAttemptAt: instant
      .nullable()
      .describe("When the attempt after it was planned; ISO 8601, UTC; null: none"),
  })
  .meta({ id: "WebhookAttempt" });
/** `response`: its first 4 KiB. */
export type DeliveryAttemptRecord = DeepReadonly<z.infer<typeof attempt>>;

const deliveryDetail = z
  .object({
    ...deliveryFields,
    body: z.string().nullable().describe("What is sent, byte for byte; null: it is no longer kept"),
    attemptLog: z.array(attempt).describe("Every attempt, in order"),
  })
  .meta({ id: "WebhookDeliveryDetail" });
/** Bodies are removed 14 days after the event. */
export type DeliveryDetailRecord = DeepReadonly<z.infer<typeof deliveryDetail>>;

const deliveriesQuery = z.object({
  event: webhookEvent.optional().describe("Only this kind of event"),
  status: deliveryStatus.optional().describe("Only those with this status"),
  callId: z.string().max(64).optional().describe("Only deliveries of this call"),
  ...pageFields,
});

const replaysBody = z
  .strictObject({
    from: instantInput.describe("Events from this time on; ISO 8601 with offset"),
    to: instantInput.describe("Events before this time; ISO 8601 with offset"),
    events: webhookEvents.optional(),
    campaignId: reference.nullish().describe("Only events of this campaign"),
  })
  .meta({
    id: "WebhookReplayRequest",
    examples: [{ from: "2026-09-01T10:00:00.000Z", to: "2026-09-01T11:00:00.000Z" }],
  });

const replays = z
  .object({
    deliveries: z.number().meta({ type: "integer" }).describe("Number of deliveries that were made"),
  })
  .meta({ id: "WebhookReplays", examples: [{ deliveries: 12 }] });
export type ReplaysRecord = DeepReadonly<z.infer<typeof replays>>;

const scope = "webhooks:*";

export const deliveryRoutes = routes({
  listDeliveries: {
    method: "GET",
    path: "/api/v1/webhook/deliveries",
    tag: "webhooks",
    summary: "Deliveries, newest first",
    scope,
    query: deliveriesQuery,
    answers: { 200: list(delivery) },
  },
  getDelivery: {
    method: "GET",
    path: "/api/v1/webhook/deliveries/:id",
    tag: "webhooks",
    summary: "One delivery with its attempts",
    scope,
    answers: { 200: answer(deliveryDetail) },
    errors: ["DELIVERY_NOT_FOUND"],
  },
  replayDelivery: {
    method: "POST",
    path: "/api/v1/webhook/deliveries/:id/replay",
    tag: "webhooks",
    summary: "Sends the same event again, as a delivery of its own",
    scope,
    body: noBody,
    answers: { 200: answer(delivery) },
    errors: ["DELIVERY_NOT_FOUND", "CONFLICT", "CALL_ERASED"],
  },
  replayRange: {
    method: "POST",
    path: "/api/v1/webhook/replays",
    tag: "webhooks",
    summary: "Sends every event of a range again",
    scope,
    body: replaysBody,
    answers: { 200: answer(replays) },
    errors: ["CAMPAIGN_NOT_FOUND@400"],
  },
});
