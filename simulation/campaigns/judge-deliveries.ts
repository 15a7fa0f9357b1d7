import type { OutboxEntry } from "../../application/ports/webhook-outbox.ts";
import { subjectOf } from "../../domain/webhook/kinds.ts";
import type { FaultyReceiver } from "./faulty-receiver.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/**
 * After so many failed attempts of an event, the next event of its call or campaign no longer waits for
 * it (docs/delivery.md).
 */
const ATTEMPTS_IN_ORDER = 3;

/**
 * I6 at the receiver: everything queued arrived, signed, the answer before the end, and the campaign's events
 * in order; repeats only after a crash or a clock jump.
 */
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
  const bySubject = new Map<string | null, OutboxEntry[]>();
  for (const { entry, status } of outbox.deliveries.values()) {
    const { kind, eventId } = entry;
    const subject = subjectOf(entry);
    const at = firstArrival.get(eventId);
    if (status !== "delivered" || at === undefined) problems.push(`${kind} of ${subject} is ${status}`);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), entry]);
  }
  for (const [subject, entries] of bySubject) {
    const ordered = entries.sort((a, b) => a.sequence - b.sequence);
    for (const [index, before] of ordered.slice(0, -1).entries()) {
      const entry = ordered[index + 1];
      const came = firstArrival.get(entry?.eventId ?? "") ?? 0;
      const tried = receiver.arrivals.filter(({ eventId, at }) => eventId === before.eventId && at <= came);
      if (came < (firstArrival.get(before.eventId) ?? 0) && tried.length < ATTEMPTS_IN_ORDER)
        problems.push(`${entry?.kind} of ${subject} arrived before its ${before.kind}`);
    }
  }
  return problems;
}

function timesAcknowledged({ arrivals }: FaultyReceiver, event: string): number {
  return arrivals.filter(({ eventId, acknowledged }) => acknowledged && eventId === event).length;
}
