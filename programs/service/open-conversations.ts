import type { Calls } from "../../application/log/aggregates.ts";
import { callStream } from "../../application/log/stream-names.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { PinnedConversations } from "../../application/ports/pinned-conversations.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { FirstSpeaker } from "../../infrastructure/carriers/open-carrier-options.ts";
import type { CallStanding } from "../../infrastructure/voice/relay/relay-entrance.ts";

/** The carrier is there before the engine is: a session that arrives in between is not taken, and comes again. */
export type LateConversations = Conversations & { open(conversations: Conversations): void };

export function createLateConversations(): LateConversations {
  let opened: Conversations | null = null;
  return {
    arrive: async (arrival) => (opened === null ? null : opened.arrive(arrival)),
    open: (conversations) => {
      opened = conversations;
    },
  };
}

type FirstSpeakerDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: PinnedConversations;
};

/** Who speaks first on a call, by what its request pinned. */
export function firstSpeaker({
  eventStore,
  codec,
  pinnedConversations,
}: FirstSpeakerDeps): (callId: CallId) => Promise<FirstSpeaker | null> {
  return async (callId) => {
    const [decoded] = await codec.decode(await eventStore.read(callStream(callId), { max: 1 }));
    if (decoded?.kind !== "event" || decoded.recorded.event.type !== "CallRequested") return null;
    const { pinned } = decoded.recorded.event.data;
    if (pinned === undefined) return null;
    return (await pinnedConversations.read(pinned))?.speakers[0] ?? null;
  };
}

/** Whether words of this call can still come, by the log. */
export function callStanding(calls: Calls): (callId: CallId) => Promise<CallStanding> {
  return (callId) =>
    calls.query(
      callStream(callId),
      ({ owner, endedAt }) => (owner === null ? "unknown" : endedAt === null ? "live" : "ended"),
      { fresh: true },
    );
}
