import type { DeliveryStore } from "../../application/ports/delivery-store.ts";
import type { WebhookOutbox } from "../../application/ports/webhook-outbox.ts";
import type { GuardedHttpClient } from "../../infrastructure/http/guarded-http-client.ts";
import type { Around } from "./around.ts";

export function crashingOutbox<P extends WebhookOutbox>(port: P, around: Around): P {
  return {
    ...port,
    enqueue: (entries) => around("outbox.enqueue", () => port.enqueue(entries)),
    deferEnds: (ends) => around("outbox.deferEnds", () => port.deferEnds(ends)),
    dropEnds: (callIds) => around("outbox.dropEnds", () => port.dropEnds(callIds)),
  };
}

/** An empty claim has no after. */
export function crashingDeliveryStore<P extends DeliveryStore>(port: P, around: Around): P {
  return {
    ...port,
    claim: (claims, now) =>
      around(
        "deliveries.claim",
        () => port.claim(claims, now),
        (claimed) => claimed.length > 0,
      ),
    record: (attempts, healths) => around("deliveries.record", () => port.record(attempts, healths)),
  };
}

export function crashingSender<P extends Pick<GuardedHttpClient, "send">>(client: P, around: Around): P {
  return { ...client, send: (request) => around("webhooks.send", () => client.send(request)) };
}
