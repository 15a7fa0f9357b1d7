import type { CallEvent } from "../../../domain/call/events.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { recordedEvents } from "../../log/recorded-events.ts";
import { callStream } from "../../log/stream-names.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";

export type CallEventsDeps = { readonly eventStore: EventStore; readonly codec: EventCodec };

/** All events of a call, in order. */
export async function callEvents(deps: CallEventsDeps, callId: CallId): Promise<readonly CallEvent[]> {
  const events: CallEvent[] = [];
  for await (const { event } of recordedEvents(deps, callStream(callId)))
    if (isCallEvent(event)) events.push(event);
  return events;
}
