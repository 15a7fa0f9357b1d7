import { z } from "zod";
import { ALL_KINDS, DEFAULT_KINDS } from "../domain/webhook/kinds.ts";
import { answer, type DeepReadonly, instant, KIB, longText, noBody, wholeNumber } from "./fields.ts";
import { routes } from "./route.ts";

export const webhookEvent = z.enum(ALL_KINDS);
export const webhookEvents = z
  .array(webhookEvent)
  .min(1, "Must name at least one event")
  .max(ALL_KINDS.length, "Must not name an event twice")
  .refine((names) => new Set(names).size === names.length, { message: "Must not name an event twice" })
  .describe(`Kinds of events that are sent; left out: ${DEFAULT_KINDS.join(" and ")}`);

const URL_TEXT = "Where events are sent: an https address";
const enabled = z.boolean().describe("false: deliveries are held, for 7 days");

const webhookBody = z
  .strictObject({
    url: longText(2 * KIB).describe(URL_TEXT),
    enabled,
    events: webhookEvents.optional(),
  })
  .meta({ id: "WebhookRequest", examples: [{ url: "https://example.com/hooks/ringfold", enabled: true }] });

const settings = {
  url: z.string().describe(URL_TEXT),
  enabled,
  events: z.array(webhookEvent).describe("Kinds of events that are sent there"),
};
const webhookSettings = z.object(settings).meta({ id: "WebhookSettings" });

const deliveries = z.number().meta({ type: "integer" });

const webhook = z
  .object({
    ...settings,
    status: z
      .enum(["enabled", "disabled", "misconfigured"])
      .describe("misconfigured: the address may not be used"),
    disabledReason: z
      .enum(["manual", "gone", "failing"])
      .nullable()
      .describe("Why it is disabled; null: it is not"),
    pending: deliveries.describe("Number of deliveries that are still to be made"),
    held: deliveries.describe("Number of deliveries held because the endpoint is disabled"),
    dead: deliveries.describe("Number of deliveries given up"),
    oldestUndeliveredAt: instant
      .nullable()
      .describe("When the oldest event happened that is not delivered; ISO 8601, UTC; null: none"),
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
/**
 * A PUT ends `misconfigured` (its address is not allowed, detected while connecting) and `disabled`, which a
 * PUT, a 410, or 120 h without a success make.
 */
export type WebhookRecord = DeepReadonly<z.infer<typeof webhook>>;

const secret = z.string().describe("The key of the signature, `whsec_` and base64");
const webhookSecret = z.object({ secret }).meta({ id: "WebhookSecret" });

const rotateSecretBody = z
  .strictObject({
    overlapSeconds: wholeNumber(0, 604_800)
      .optional()
      .describe("Seconds in which both secrets sign (default 86400)"),
  })
  .nullish()
  .meta({ examples: [{ overlapSeconds: 86_400 }] });

const rotatedSecret = z
  .object({
    secret,
    previousValidUntil: instant
      .nullable()
      .describe("Until when the secret before is used as well; ISO 8601, UTC; null: not at all"),
  })
  .meta({ id: "RotatedWebhookSecret" });
export type RotatedSecretRecord = DeepReadonly<z.infer<typeof rotatedSecret>>;

const testBody = z
  .strictObject({ event: webhookEvent.describe("Kind of the sample that is sent") })
  .meta({ id: "WebhookTestRequest", examples: [{ event: "call.ended" }] });

// Fields of every attempt.
export const httpStatus = z
  .number()
  .meta({ type: "integer" })
  .nullable()
  .describe("HTTP status of the receiver; null: it did not answer");
export const detail = z.string().nullable().describe("What went wrong; null: nothing");
export const response = z.string().nullable().describe("The beginning of the answer; null: none");

const webhookTest = z
  .object({
    status: httpStatus,
    ms: z.number().describe("Milliseconds that the attempt took"),
    detail,
    request: z
      .object({
        headers: z.record(z.string(), z.string()).describe("Its headers, signature included"),
        body: z.string().describe("Its body, byte for byte"),
      })
      .describe("What was sent"),
    response,
  })
  .meta({ id: "WebhookTest" });
export type WebhookTestRecord = DeepReadonly<z.infer<typeof webhookTest>>;

const scope = "webhooks:*";

export const webhookRoutes = routes({
  getWebhook: {
    method: "GET",
    path: "/api/v1/webhook",
    tag: "webhooks",
    summary: "Where webhooks go and how they fare; null when nothing was ever set",
    scope,
    answers: { 200: answer(webhook.nullable()) },
  },
  putWebhook: {
    method: "PUT",
    path: "/api/v1/webhook",
    tag: "webhooks",
    summary: "Sets where webhooks go",
    scope,
    body: webhookBody,
    answers: { 200: answer(webhookSettings) },
  },
  showWebhookSecret: {
    method: "POST",
    path: "/api/v1/webhook/secret",
    tag: "webhooks",
    summary: "Shows the secret; makes it when there is none",
    scope,
    body: noBody,
    answers: { 200: answer(webhookSecret) },
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/api/v1/webhook/rotate-secret",
    tag: "webhooks",
    summary: "Makes a new secret; the old one signs as well for a while",
    scope,
    body: rotateSecretBody,
    answers: { 200: answer(rotatedSecret) },
  },
  testWebhook: {
    method: "POST",
    path: "/api/v1/webhook/test",
    tag: "webhooks",
    summary: "Sends a signed sample now",
    scope,
    body: testBody,
    answers: { 200: answer(webhookTest) },
    errors: ["WEBHOOK_NOT_CONFIGURED", "CONCURRENCY_LIMIT_REACHED"],
  },
});
