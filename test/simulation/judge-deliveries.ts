import type { FaultyReceiver } from "./faulty-receiver.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/** The order of two events of a call is given up after so many failed attempts of the first (webhooks.md). */
const ATTEMPTS_IN_ORDER = 3;

/** I6 at the far end: everything that was queued arrived, signed, the answer before the end; again only where a process died or a clock jumped. */
export function judgeDeliveries(
  { outbox, receiver }: Shared,
  { actions }: Scenario,
  deaths: number,
): readonly string[] {
  if (receiver === null) return [];
  const problems: string[] = [];
  const mayRepeat = deaths > 0 || actions.some(({ kind }) => kind === "clock step");
  const firstArrival = new Map<string, number>();
  for (const { eventId, reached, acknowledged, isSigned, at } of receiver.arrivals) {
    if (!isSigned) problems.push(`${eventId} was not signed`);
    if (reached && !firstArrival.has(eventId)) firstArrival.set(eventId, at);
    if (acknowledged && !mayRepeat && timesAcknowledged(receiver, eventId) > 1)
      problems.push(`${eventId} was sent again though it had been taken`);
  }
  const started = new Map<string, string>();
  for (const { entry, status } of outbox.deliveries.values()) {
    const { kind, callId, eventId } = entry;
    const at = firstArrival.get(eventId);
    if (status !== "delivered" || at === undefined) problems.push(`${kind} of ${callId} is ${status}`);
    if (kind === "call.started") started.set(callId, eventId);
  }
  for (const { entry } of outbox.deliveries.values()) {
    const before = started.get(entry.callId);
    if (entry.kind !== "call.ended" || before === undefined) continue;
    const endedAt = firstArrival.get(entry.eventId) ?? 0;
    const tried = receiver.arrivals.filter(({ eventId, at }) => eventId === before && at <= endedAt).length;
    if (endedAt < (firstArrival.get(before) ?? 0) && tried < ATTEMPTS_IN_ORDER)
      problems.push(`call.ended of ${entry.callId} arrived before its call.started`);
  }
  return problems;
}

function timesAcknowledged({ arrivals }: FaultyReceiver, event: string): number {
  return arrivals.filter(({ eventId, acknowledged }) => acknowledged && eventId === event).length;
}
