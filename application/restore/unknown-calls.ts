import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import { callStream } from "../log/stream-names.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";

const STREAMS_AT_ONCE = 32;
/** CallRequested, then the dial, or an event after which there is no dial. */
const FIRST_EVENTS = 2;
const DIAL: CallEvent["type"] = "CallDialingBegan";

/**
 * Calls of the carrier whose dial is not in the log. Every dial is durable before a byte is sent
 * (docs/architecture.md §3.4), so the log has lost them. Ask the carrier first, then call this.
 */
export async function unknownCalls(
  eventStore: EventStore,
  calls: readonly CallOfTheCarrier[],
): Promise<readonly CallOfTheCarrier[]> {
  const unknown: CallOfTheCarrier[] = [];
  for (let from = 0; from < calls.length; from += STREAMS_AT_ONCE) {
    const some = calls.slice(from, from + STREAMS_AT_ONCE);
    const known = await Promise.all(some.map((call) => isKnown(eventStore, call)));
    unknown.push(...some.filter((_call, index) => known[index] === false));
  }
  return unknown;
}

async function isKnown(eventStore: EventStore, { callId }: CallOfTheCarrier): Promise<boolean> {
  try {
    const first = await eventStore.read(callStream(callId), { max: FIRST_EVENTS });
    return first.some(({ type }) => type === DIAL);
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return false;
    if (isEventStoreFailure(error, "deleted")) return true;
    throw error;
  }
}
