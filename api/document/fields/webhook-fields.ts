import type { FieldTable } from "./field-table.ts";

/** Webhooks and their deliveries. */
export const WEBHOOK_FIELDS: readonly FieldTable[] = [
  {
    of: ["CallStartedWebhook", "CallEndedWebhook"],
    fields: {
      "data.status": "How far the call had come",
      "data.type": "Always `outbound`",
      "data.from": "The number that was shown, E.164",
      "data.to": "The number that was called, E.164",
      "data.assistantVersion": "Version of the assistant that talked, counted from 1",
      "data.attempt":
        "Number of this attempt to reach the contact, counted from 1; a single call is attempt 1",
      "data.startedAt": "The same as connectedAt; ISO 8601, UTC",
    },
  },
  {
    of: ["CallEndedWebhook"],
    fields: {
      "data.cost": "Credits that the call cost, with 4 decimals",
      "data.messages": "What was said, in order",
      "data.recordingUrl": "Where the recording is; null: there is none (yet)",
      "data.recordingStatus": "Whether there is a recording, or will be",
      "data.error": "What went wrong; null: nothing",
      "data.error.code": "Our name for the problem",
      "data.error.message": "The problem in words",
      "data.error.carrierCode": "The carrier's name for it; null: it gave none",
    },
  },
  {
    of: ["WebhookRequest", "WebhookSettings", "Webhook"],
    fields: {
      url: "Where events are sent: an https address",
      enabled: "false: deliveries are held, for 7 days",
      events: "Kinds of events that are sent there",
    },
  },
  {
    of: ["Webhook"],
    fields: {
      status: "misconfigured: the address may not be used",
      disabledReason: "Why it is disabled; null: it is not",
      pending: "Number of deliveries that are still to be made",
      held: "Number of deliveries held because the endpoint is disabled",
      dead: "Number of deliveries given up",
      oldestUndeliveredAt: "When the oldest event happened that is not delivered; ISO 8601, UTC; null: none",
    },
  },
  {
    of: ["WebhookSecret", "RotatedWebhookSecret"],
    fields: { secret: "The key of the signature, `whsec_` and base64" },
  },
  {
    of: ["RotatedWebhookSecret"],
    fields: {
      previousValidUntil: "Until when the secret before is used as well; ISO 8601, UTC; null: not at all",
    },
  },
  {
    of: ["rotateWebhookSecret"],
    fields: { "body.overlapSeconds": "Seconds in which both secrets sign (default 86400)" },
  },
  { of: ["WebhookTestRequest"], fields: { event: "Kind of the sample that is sent" } },
  {
    of: ["WebhookTest"],
    fields: {
      status: "HTTP status of the receiver; null: it did not answer",
      ms: "Milliseconds that the attempt took",
      detail: "What went wrong; null: nothing",
      request: "What was sent",
      "request.headers": "Its headers, signature included",
      "request.body": "Its body, byte for byte",
      response: "The beginning of the answer; null: none",
    },
  },
  {
    of: ["WebhookDelivery", "WebhookDeliveryDetail"],
    fields: {
      id: "Id of the delivery",
      eventId: "Id of the event, the same in every delivery of it",
      event: "Kind of the event",
      status: "How far the delivery has come",
      trigger: "What began it: the event itself, a replay, or a test",
      attempts: "Number of attempts so far",
      nextAttemptAt: "When the next attempt is made; ISO 8601, UTC; null: none is planned",
      deliveredAt: "When the receiver took it; ISO 8601, UTC; null: not (yet)",
    },
  },
  {
    of: ["WebhookDeliveryDetail"],
    fields: {
      body: "What is sent, byte for byte; null: it is no longer kept",
      attemptLog: "Every attempt, in order",
    },
  },
  {
    of: ["WebhookAttempt"],
    fields: {
      number: "Number of the attempt, counted from 1",
      trigger: "What began it; recovery: the attempt before ended unknown",
      startedAt: "When it began; ISO 8601, UTC",
      class: "How it ended",
      status: "HTTP status of the receiver; null: it did not answer",
      detail: "What went wrong; null: nothing",
      phases: "How long each step took; null: not known",
      "phases.dns": "Milliseconds for the name; null: not reached",
      "phases.connect": "Milliseconds for the connection; null: not reached",
      "phases.tls": "Milliseconds for TLS; null: not reached, or not used",
      "phases.firstByte": "Milliseconds to the first byte of the answer; null: not reached",
      "phases.total": "Milliseconds in all",
      response: "The beginning of the answer; null: none",
      responseHeaders: "Headers of the answer; null: none",
      remoteAddress: "IP address that was connected to; null: none",
      secretId: "Which secret signed it; null: not signed",
      nextAttemptAt: "When the attempt after it was planned; ISO 8601, UTC; null: none",
    },
  },
  {
    of: ["WebhookReplayRequest"],
    fields: {
      from: "Events from this time on; ISO 8601 with offset",
      to: "Events before this time; ISO 8601 with offset",
      events: "Only these kinds; left out: all that the endpoint takes",
      campaignId: "Only events of this campaign",
    },
  },
  { of: ["WebhookReplays"], fields: { deliveries: "Number of deliveries that were made" } },
];
