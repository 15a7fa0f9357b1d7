import type { Calls } from "../../application/log/aggregates.ts";
import { callStream } from "../../application/log/stream-names.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { PinnedConversations } from "../../application/ports/pinned-conversations.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { FirstSpeaker } from "../../infrastructure/carriers/open-carrier-options.ts";
import type { CallStanding } from "../../infrastructure/voice/relay/relay-entrance.ts";

/** Waiting for the restore guard included. */
const OPEN_MILLIS = 12_000;

/** The carrier is there before the engine is: a session that arrives in between waits for it, and is not taken when that takes too long. */
export type LateConversations = Conversations & { open(conversations: Conversations): void };

export function createLateConversations(clock: Pick<Clock, "sleep">): LateConversations {
  const opening = Promise.withResolvers<Conversations>();
  let opened: Conversations | null = null;
  return {
    arrive: async (arrival) => {
      const late = opened === null ? clock.sleep(OPEN_MILLIS).then(() => null) : null;
      const conversations = opened ?? (await Promise.race([opening.promise, late]));
      return conversations === null ? null : conversations.arrive(arrival);
    },
    open: (conversations) => {
      opened = conversations;
      opening.resolve(conversations);
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

/** How many sessions a call has had, by the log. */
export function sessionsBegun(calls: Calls): (callId: CallId) => Promise<number> {
  return (callId) => calls.query(callStream(callId), ({ lastEpoch }) => lastEpoch, { fresh: true });
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
