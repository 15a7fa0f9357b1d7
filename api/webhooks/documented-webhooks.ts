import { componentOf, type SampleIds } from "../../contract/webhook-body.ts";
import { ALL_KINDS, WEBHOOK_KINDS, type WebhookEventKind } from "../../domain/webhook/kinds.ts";
import { sampleEvent } from "./sample-event.ts";

const EXAMPLE_NOW = "2026-09-01T10:01:00.000Z";
const EXAMPLE_IDS: SampleIds = {
  next: (prefix) => `${prefix}_01k4b2s9h3e8t9v0w1x2y3z4a5`,
  uuid: () => "6f1c2a54-3c1e-5d0f-9a77-0d6e0c1b2a34",
};

/** `webhooks` of the OpenAPI document: the requests to an endpoint, one for each kind. */
export function documentedWebhooks(): Readonly<Record<string, object>> {
  return Object.fromEntries(ALL_KINDS.map((kind) => [kind, { post: documentedWebhook(kind) }]));
}

function documentedWebhook(kind: WebhookEventKind): object {
  const { when, byDefault } = WEBHOOK_KINDS[kind];
  const named = byDefault ? "" : " Sent only to an endpoint whose `events` names it.";
  return {
    operationId: `on${componentOf(kind)}`,
    summary: kind,
    description: `${when}${named}`,
    tags: ["webhooks"],
    // The receiver's own routes: a request is proved by its signature.
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      in: "header",
      name,
      description,
      required: true,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${componentOf(kind)}` },
          example: JSON.parse(sampleEvent(EXAMPLE_IDS, EXAMPLE_NOW, kind).body),
        },
      },
    },
    responses: ANSWERS,
  };
}

const HEADERS = [
  [
    "X-Service-Signature",
    "sha256= and the hex HMAC-SHA256 of timestamp, dot and raw body, keyed by the secret",
  ],
  ["X-Service-Timestamp", "When this attempt was signed: Unix time in milliseconds"],
  ["X-Service-Event-Id", "Id of the event, the same on every attempt and replay"],
  ["X-Service-Delivery-Id", "Id of the delivery, as GET /api/v1/webhook/deliveries shows it"],
  ["X-Service-Attempt", "Number of the attempt of this delivery, from 1"],
  ["webhook-id", "Standard Webhooks: id of the event"],
  ["webhook-timestamp", "Standard Webhooks: when this attempt was signed, Unix time in seconds"],
  [
    "webhook-signature",
    "Standard Webhooks: v1 and the base64 signature; two of them while a secret is changed",
  ],
] as const;

const ANSWERS = {
  "2XX": { description: "Taken: it is not sent again" },
  "410": { description: "Switches the endpoint off; what waits is held for 7 days" },
  "4XX": { description: "Tried again, up to 12 attempts in about three days" },
  "5XX": { description: "Tried again, up to 12 attempts in about three days" },
};
