import type { Clock } from "../../application/ports/clock.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { WebhookEventKind } from "../../application/ports/webhook-outbox.ts";
import type { WebhookSample } from "../../application/ports/webhook-settings.ts";
import { plusMillis } from "../../domain/shared/instant.ts";

/** An event of the shape that real ones have (interface.md §7), about a call that never was. */
export function sampleEvent(
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
  event: WebhookEventKind,
): WebhookSample {
  const connectedAt = plusMillis(clock.now(), -60_000);
  const started = startedData(ids, connectedAt);
  const data = event === "call.started" ? started : endedData(started, plusMillis(connectedAt, 42_000));
  return { event, eventId: started.eventId, body: JSON.stringify({ event, data }) };
}

type Instant = ReturnType<Clock["now"]>;

function startedData(ids: Ids, connectedAt: Instant) {
  return {
    eventId: ids.uuid(),
    sequence: 1,
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

function endedData(started: ReturnType<typeof startedData>, endedAt: Instant) {
  const { assistantId, startedAt } = started;
  const message = { index: 0, role: "assistant", assistantId, content: "Hello!", at: startedAt, offsetMs: 0 };
  return {
    ...started,
    sequence: 2,
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
