import { z } from "zod";
import { idOf, instant, instantInput, KIB, longText, reference, wholeNumber } from "../../contract/fields.ts";
import { ALL_KINDS, DEFAULT_KINDS } from "../../domain/webhook/kinds.ts";

const webhookEvent = z.enum(ALL_KINDS);
const events = z
  .array(webhookEvent)
  .min(1, "Must name at least one event")
  .max(ALL_KINDS.length, "Must not name an event twice")
  .refine((names) => new Set(names).size === names.length, { message: "Must not name an event twice" })
  .describe(`Kinds of events that are sent; left out: ${DEFAULT_KINDS.join(" and ")}`);

export const webhookBody = z
  .strictObject({ url: longText(2 * KIB), enabled: z.boolean(), events: events.optional() })
  .meta({ id: "WebhookRequest", examples: [{ url: "https://example.com/hooks/ringfold", enabled: true }] });

const settings = { url: z.string(), enabled: z.boolean(), events: z.array(webhookEvent) };
export const webhookSettings = z.object(settings).meta({ id: "WebhookSettings" });

export const webhook = z
  .object({
    ...settings,
    status: z.enum(["enabled", "disabled", "misconfigured"]),
    disabledReason: z.enum(["manual", "gone", "failing"]).nullable(),
    pending: z.number().meta({ type: "integer" }),
    held: z.number().meta({ type: "integer" }),
    dead: z.number().meta({ type: "integer" }),
    oldestUndeliveredAt: instant.nullable(),
  })
  .meta({
    id: "Webhook",
    examples: [
      {
        url: "https://example.com/hooks/ringfold",
        enabled: true,
        events: [...DEFAULT_KINDS],
        status: "enabled",
        disabledReason: null,
        pending: 0,
        held: 0,
        dead: 0,
        oldestUndeliveredAt: null,
      },
    ],
  });

export const webhookSecret = z.object({ secret: z.string() }).meta({ id: "WebhookSecret" });

export const rotateSecretBody = z
  .strictObject({ overlapSeconds: wholeNumber(0, 604_800).optional() })
  .nullish()
  .meta({ examples: [{ overlapSeconds: 86_400 }] });

export const rotatedSecret = z
  .object({ secret: z.string(), previousValidUntil: instant.nullable() })
  .meta({ id: "RotatedWebhookSecret" });

export const testBody = z
  .strictObject({ event: webhookEvent })
  .meta({ id: "WebhookTestRequest", examples: [{ event: "call.ended" }] });

export const testAnswer = z
  .object({
    status: z.number().meta({ type: "integer" }).nullable(),
    ms: z.number(),
    detail: z.string().nullable(),
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
    response: z.string().nullable(),
  })
  .meta({ id: "WebhookTest" });

const deliveryStatus = z.enum(["pending", "sending", "delivered", "retrying", "held", "dead"]);

const deliveryFields = {
  id: idOf("dlv"),
  eventId: z.string(),
  event: webhookEvent,
  callId: idOf("call").nullable(),
  campaignId: idOf("cmp").nullable(),
  status: deliveryStatus,
  trigger: z.enum(["auto", "manual", "test"]),
  attempts: z.number().meta({ type: "integer" }),
  nextAttemptAt: instant.nullable(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
};

export const delivery = z.object(deliveryFields).meta({ id: "WebhookDelivery" });

const millis = z.number().nullable();

const attempt = z
  .object({
    number: z.number().meta({ type: "integer" }),
    trigger: z.enum(["auto", "manual", "test", "recovery"]),
    startedAt: instant,
    class: z.enum([
      "delivered",
      "gone",
      "throttled",
      "redirect",
      "refused",
      "unreachable",
      "blocked",
      "unknown",
    ]),
    status: z.number().meta({ type: "integer" }).nullable(),
    detail: z.string().nullable(),
    phases: z
      .object({ dns: millis, connect: millis, tls: millis, firstByte: millis, total: z.number() })
      .nullable(),
    response: z.string().nullable(),
    responseHeaders: z.record(z.string(), z.string()).nullable(),
    remoteAddress: z.string().nullable(),
    secretId: z.string().nullable(),
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: "WebhookAttempt" });

export const deliveryDetail = z
  .object({ ...deliveryFields, body: z.string().nullable(), attemptLog: z.array(attempt) })
  .meta({ id: "WebhookDeliveryDetail" });

export const deliveriesQuery = z.object({
  event: webhookEvent.optional(),
  status: deliveryStatus.optional(),
  callId: z.string().max(64).optional(),
});

export const replaysBody = z
  .strictObject({
    from: instantInput,
    to: instantInput,
    events: events.optional(),
    campaignId: reference.nullish(),
  })
  .meta({
    id: "WebhookReplayRequest",
    examples: [{ from: "2026-09-01T10:00:00.000Z", to: "2026-09-01T11:00:00.000Z" }],
  });

export const replays = z
  .object({ deliveries: z.number().meta({ type: "integer" }) })
  .meta({ id: "WebhookReplays", examples: [{ deliveries: 12 }] });
export type ReplaysBody = z.infer<typeof replaysBody>;
