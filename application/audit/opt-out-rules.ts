import type { CallId } from "../../domain/shared/ids.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import { eventsOfTypes } from "../restore/events-of-types.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";

/**
 * Whoever asked never to be called again is not called by this owner until it is revoked. Judged by the order
 * of the log, not by times: `history` has the requests and dials to be judged, and the opt-outs of all calls
 * of the owner with their requests, in log order.
 */
export function judgeOptOuts(history: Iterable<AuditedEvent>, report: Report): void {
  const numbers = new Map<CallId, string>();
  /** By owner and number, then by call: each opt-out is revoked by itself. */
  const standing = new Map<string, Map<CallId, AuditedEvent>>();
  for (const recorded of history) {
    const { event } = recorded;
    if (event.type === "CallRequested") {
      numbers.set(event.data.callId, `${event.data.owner} ${event.data.to}`);
      continue;
    }
    if (
      event.type !== "CallDialingBegan" &&
      event.type !== "CallOptedOut" &&
      event.type !== "CallOptOutRevoked"
    )
      continue;
    const { callId } = event.data;
    const number = numbers.get(callId);
    if (number === undefined) continue;
    const optOuts = standing.get(number) ?? new Map<CallId, AuditedEvent>();
    const [first] = optOuts.values();
    if (event.type === "CallOptedOut") standing.set(number, optOuts.set(callId, recorded));
    else if (event.type === "CallOptOutRevoked") optOuts.delete(callId);
    else if (first !== undefined)
      report("no-dial-after-opt-out", `${callId} dials whoever asked never to be called`, first, recorded);
  }
}

/**
 * The events of a campaign and its calls, with every opt-out of its owner: also those of other campaigns and
 * of single calls. In log order. Rejects as the log does.
 */
export async function withOptOuts(
  { eventStore, codec }: { readonly eventStore: EventStore; readonly codec: EventCodec },
  owner: string,
  events: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  const known = new Set(events.map(({ stream }) => stream));
  const elsewhere: RecordedEvent[] = [];
  for await (const stored of eventsOfTypes(eventStore, ["CallOptedOut", "CallOptOutRevoked"])) {
    if (stored.metadata.owner !== owner || known.has(stored.stream)) continue;
    const request = await eventStore.read(stored.stream, { max: 1 });
    for (const decoded of await codec.decode([...request, stored]))
      if (decoded.kind === "event") elsewhere.push(decoded.recorded);
  }
  return [...events, ...elsewhere].toSorted((a, b) => eventStore.comparePositions(a.position, b.position));
}
