import { speakingNow } from "../application/conversation/speaking-now.ts";
import type { Calls } from "../application/log/aggregates.ts";
import { callStream } from "../application/log/stream-names.ts";
import type { Clock } from "../application/ports/clock.ts";
import type { EventCodec } from "../application/ports/event-codec.ts";
import type { EventStore } from "../application/ports/event-store.ts";
import type { PinnedConversations } from "../application/ports/pinned-conversations.ts";
import type { Conversations } from "../application/ports/voice-session.ts";
import type { CallState } from "../domain/call/state.ts";
import { isCallEvent } from "../domain/event-kinds.ts";
import type { CallId } from "../domain/shared/ids.ts";
import type { CallSpeaker } from "../infrastructure/carriers/open-carrier-options.ts";
import { tellLimits } from "../infrastructure/postgres/process-limits.ts";
import type { CallLiveness } from "../infrastructure/voice/relay/relay-entrance.ts";
import type { Adapters } from "./open-adapters.ts";
import { processName } from "./process-name.ts";
import type { ServiceContext } from "./service-context.ts";

/** Includes waiting for the restore guard. */
const OPEN_MILLIS = 12_000;

/**
 * The carrier exists before the engine: a session that arrives in between waits for it, and is refused when
 * that takes too long.
 */
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

type SpeakerDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: PinnedConversations;
};

/**
 * The current speaker of a call, from the log and its pinned conversation: a new session sounds
 * like the one before.
 */
export function speakerOnCall({
  eventStore,
  codec,
  pinnedConversations,
}: SpeakerDeps): (callId: CallId) => Promise<CallSpeaker | null> {
  return async (callId) => {
    const decoded = await codec.decode(await eventStore.read(callStream(callId)));
    const events = decoded.flatMap((each) =>
      each.kind === "event" && isCallEvent(each.recorded.event) ? [each.recorded.event] : [],
    );
    const pinned = events[0]?.type === "CallRequested" ? events[0].data.pinned : undefined;
    if (pinned === undefined) return null;
    return speakingNow(events, (await pinnedConversations.read(pinned))?.speakers ?? []);
  };
}

/** The number of sessions of a call, from the log. */
export function sessionsBegun(calls: Calls): (callId: CallId) => Promise<number> {
  return (callId) => calls.query(callStream(callId), ({ lastEpoch }) => lastEpoch, { fresh: true });
}

/** Whether a call can still have a conversation, from the log. */
export function callLiveness(calls: Calls): (callId: CallId) => Promise<CallLiveness> {
  return (callId) => calls.query(callStream(callId), livenessIn, { fresh: true });
}

function livenessIn({ owner, endedAt, endReason }: CallState): CallLiveness {
  if (owner === null) return "unknown";
  if (endedAt === null) return "live";
  return endReason === "transferred" ? "transferred" : "ended";
}

/** Nothing is admitted beyond what all processes together can hold. */
export async function holdConversations(
  { config, stores: { database }, logger, closing }: ServiceContext,
  { admission }: Adapters,
): Promise<void> {
  const limits = { processId: processName(config), ...config.maxConversations };
  const { stop } = await tellLimits(database.pool, logger, limits);
  closing.push(stop);
  await admission.capacityChanged();
}
