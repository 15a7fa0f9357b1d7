import { z } from "zod";
import { verifyBySeed } from "../campaigns/seed-verifier.ts";
import type { DrillEvidence } from "./drill-evidence.ts";
import type { ReceivedRequest } from "./shapes.ts";

const webhook = z.object({
  event: z.enum(["call.started", "call.ended"]),
  data: z.object({
    eventId: z.string(),
    callId: z.string(),
    status: z.string(),
    endReason: z.string().nullish(),
  }),
});

type Delivery = z.infer<typeof webhook>["data"] & {
  readonly event: z.infer<typeof webhook>["event"];
  readonly body: string;
};

/**
 * Compares the receiver's records with the calls of the API: every end delivered, each time the same
 * bytes, in order, signed.
 */
export function judgeDeliveries({ received, calls, start }: DrillEvidence): string[] {
  const deliveries = received.map(deliveryOf);
  const of = (event: Delivery["event"]) => deliveries.filter((delivery) => delivery.event === event);
  return [
    ...received.flatMap((request) => whyRefused(request, start.webhookSecret)),
    ...differingRepeats(deliveries),
    ...differingCalls("call.ended", of("call.ended"), calls),
    ...differingCalls(
      "call.started",
      of("call.started"),
      calls.filter(({ connectedAt }) => connectedAt !== null),
    ),
    ...endedBeforeStarted(deliveries),
    ...calls.flatMap(({ id, status, endReason }) =>
      of("call.ended")
        .filter(
          (webhook) =>
            webhook.callId === id && (webhook.status !== status || webhook.endReason !== endReason),
        )
        .map(
          (webhook) =>
            `${id} is ${status}/${endReason}, the webhook said ${webhook.status}/${webhook.endReason}`,
        ),
    ),
  ];
}

function deliveryOf({ body }: ReceivedRequest): Delivery {
  const { event, data } = webhook.parse(JSON.parse(Buffer.from(body, "base64").toString("utf8")));
  return { event, ...data, body };
}

function whyRefused(request: ReceivedRequest, secret: string): string[] {
  const body = Buffer.from(request.body, "base64");
  const { status, body: answer } = verifyBySeed(secret, request.headers, body, request.at);
  const { eventId } = deliveryOf(request);
  const named = request.headers["x-service-event-id"];
  return [
    ...(status === 200 ? [] : [`a receiver refuses ${eventId}: ${JSON.stringify(answer)}`]),
    ...(named === eventId ? [] : [`${eventId} came under the name ${named}`]),
  ];
}

function differingRepeats(deliveries: readonly Delivery[]): string[] {
  const bodies = new Map<string, string>();
  return deliveries.flatMap(({ eventId, body }) => {
    const first = bodies.get(eventId) ?? body;
    bodies.set(eventId, first);
    return first === body ? [] : [`${eventId} came again with another body`];
  });
}

/** Each of these calls was announced with one event id; no other was. */
function differingCalls(
  event: string,
  deliveries: readonly Delivery[],
  calls: readonly { readonly id: string }[],
): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { callId, eventId } of deliveries)
    ids.set(callId, new Set([...(ids.get(callId) ?? []), eventId]));
  const expected = new Set(calls.map(({ id }) => id));
  return [
    ...[...expected].filter((id) => !ids.has(id)).map((id) => `no ${event} came for ${id}`),
    ...[...ids.keys()].filter((id) => !expected.has(id)).map((id) => `${event} came for ${id} for nothing`),
    ...[...ids].filter(([, names]) => names.size > 1).map(([id]) => `${id} has two ${event} of its own`),
  ];
}

function endedBeforeStarted(deliveries: readonly Delivery[]): string[] {
  return deliveries.flatMap(({ event, callId }, index) => {
    if (event !== "call.ended") return [];
    const later = deliveries.findIndex((other) => other.event === "call.started" && other.callId === callId);
    return later > index ? [`call.ended of ${callId} came before its call.started`] : [];
  });
}
