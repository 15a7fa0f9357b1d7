import type { Calls } from "../../application/log/aggregates.ts";
import { callStream } from "../../application/log/stream-names.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import type { CallId } from "../../domain/shared/ids.ts";
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

/** Whether words of this call can still come, by the log. */
export function callStanding(calls: Calls): (callId: CallId) => Promise<CallStanding> {
  return (callId) =>
    calls.query(
      callStream(callId),
      ({ owner, endedAt }) => (owner === null ? "unknown" : endedAt === null ? "live" : "ended"),
      { fresh: true },
    );
}
