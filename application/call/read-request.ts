import type { CallRequested } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";

export type ReadRequestDeps = {
  readonly eventStore: Pick<EventStore, "read">;
  readonly codec: Pick<EventCodec, "decode">;
};

/** The request of a call; null: the call does not exist, or its first event cannot be read. */
export async function readRequest(
  { eventStore, codec }: ReadRequestDeps,
  callId: CallId,
): Promise<CallRequested["data"] | null> {
  const page = await eventStore.read(callStream(callId), { max: 1 });
  const [decoded] = await codec.decode(page);
  return decoded?.kind === "event" && decoded.recorded.event.type === "CallRequested"
    ? decoded.recorded.event.data
    : null;
}
