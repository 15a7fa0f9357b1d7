import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { createKnownOptOuts, type KnownOptOuts, type OptOutDeps } from "../conversation/known-opt-outs.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";
import { createLiveMap } from "../recent-map.ts";
import { addEvent, beginCallFacts, type CallFacts } from "./call-facts.ts";

const KEPT_CALLS = 10_000;

/** Cached stories of calls that were recently on the feed; any other is read from its stream. */
export type KnownCalls = {
  readonly hear: (event: CallEvent) => void;
  /** null: the call does not exist. */
  readonly of: (callId: CallId) => Promise<CallFacts | null>;
  /** Read from the log now, without the cache. Rejects as the log does. */
  readonly again: (callId: CallId) => Promise<CallFacts | null>;
};

export function createKnownCalls(deps: OptOutDeps): KnownCalls {
  const knownCalls = createLiveMap<CallId, CallFacts>(KEPT_CALLS);
  const optOuts = createKnownOptOuts(deps);
  const again = async (callId: CallId) => {
    const read = await readCallFacts(deps, callId, optOuts.hear);
    if (read === null) return null;
    knownCalls.set(callId, read);
    if (read.end !== null) knownCalls.over(callId);
    return judged(read, optOuts);
  };
  return {
    again,
    hear: (event) => {
      optOuts.hear(event);
      const { callId } = event.data;
      const known = knownCalls.get(callId);
      if (known !== undefined) addEvent(known, event);
      else if (event.type === "CallRequested") knownCalls.set(callId, beginCallFacts(event.data));
      if (isCallEnd(event)) knownCalls.over(callId);
    },
    of: async (callId) => {
      const known = knownCalls.get(callId);
      return known === undefined ? again(callId) : judged(known, optOuts);
    },
  };
}

/** An end is announced before the reaction has recorded the opt-out, so its words are judged here. */
async function judged(facts: CallFacts, optOuts: KnownOptOuts): Promise<CallFacts> {
  if (facts.end !== null && facts.answer !== null && !facts.erased)
    facts.optedOut ??= await optOuts.of(facts.request.callId);
  return facts;
}

/** Read from its stream, event by event; null: the call does not exist. */
export async function readCallFacts(
  deps: { readonly eventStore: EventStore; readonly codec: EventCodec },
  callId: CallId,
  also: (event: CallEvent) => void = () => undefined,
): Promise<CallFacts | null> {
  let facts: CallFacts | null = null;
  try {
    const page = await deps.eventStore.read(callStream(callId));
    for (const decoded of await deps.codec.decode(page)) {
      if (decoded.kind !== "event" || !isCallEvent(decoded.recorded.event)) continue;
      const { event } = decoded.recorded;
      also(event);
      if (facts !== null) addEvent(facts, event);
      else if (event.type === "CallRequested") facts = beginCallFacts(event.data);
    }
  } catch (error) {
    if (!isEventStoreFailure(error, "not_found")) throw error;
  }
  return facts;
}
