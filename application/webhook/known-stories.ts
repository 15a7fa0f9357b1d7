import type { CallEvent } from "../../domain/call/events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, isEventStoreFailure } from "../ports/event-store.ts";
import { createRecentMap } from "../recent-map.ts";
import { beginStory, type CallStory, tell } from "./call-story.ts";

const KEPT_STORIES = 10_000;

/** Cached stories of calls that were recently on the feed; any other is read from its stream. */
export type KnownStories = {
  readonly hear: (event: CallEvent) => void;
  /** null: the call does not exist. */
  readonly of: (callId: CallId) => Promise<CallStory | null>;
  /** Read from the log now, without the cache. Rejects as the log does. */
  readonly again: (callId: CallId) => Promise<CallStory | null>;
};

export function createKnownStories(deps: {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
}): KnownStories {
  const stories = createRecentMap<CallId, CallStory>(KEPT_STORIES);
  const again = async (callId: CallId) => {
    const read = await readStory(deps, callId);
    if (read !== null) stories.set(callId, read);
    return read;
  };
  return {
    again,
    hear: (event) => {
      const known = stories.get(event.data.callId);
      if (known !== undefined) tell(known, event);
      else if (event.type === "CallRequested") stories.set(event.data.callId, beginStory(event.data));
    },
    of: async (callId) => stories.get(callId) ?? again(callId),
  };
}

/** Read from its stream; null: the call does not exist. */
export async function readStory(
  deps: { readonly eventStore: EventStore; readonly codec: EventCodec },
  callId: CallId,
): Promise<CallStory | null> {
  let story: CallStory | null = null;
  try {
    const page = await deps.eventStore.read(callStream(callId));
    for (const decoded of await deps.codec.decode(page)) {
      if (decoded.kind !== "event" || !isCallEvent(decoded.recorded.event)) continue;
      const { event } = decoded.recorded;
      if (story !== null) tell(story, event);
      else if (event.type === "CallRequested") story = beginStory(event.data);
    }
  } catch (error) {
    if (!isEventStoreFailure(error, "not_found")) throw error;
  }
  return story;
}
