import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallState } from "../../../domain/call/state.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { recordedEvents } from "../../log/recorded-events.ts";
import { callStream } from "../../log/stream-names.ts";
import { type Refusal, refused } from "../../outcome.ts";
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

export type Refused = { readonly ok: false; readonly refusal: Refusal };
/** Where a request names a call. */
export type Path = readonly (string | number)[];

const ERASED = "What was said on this call was erased";

/** null: this owner may have read what was said on it so far. */
export function unreadable(state: CallState, owner: OwnerId, path: Path): Refused | null {
  if (state.status === null || state.owner !== owner) return unknownCall(path);
  return state.contentErased ? refused("CONTENT_ERASED", ERASED) : null;
}

/** null: this owner may have read all that was said on it. */
export function unusable(state: CallState, owner: OwnerId, path: Path): Refused | null {
  const refusal = unreadable(state, owner, path);
  if (refusal !== null || state.endedAt !== null) return refusal;
  return refused("CALL_NOT_ENDED", "The call has not ended");
}

export function unknownCall(path: Path): Refused {
  const message = "Call not found";
  return refused("CALL_NOT_FOUND", message, [{ path, message }]);
}
