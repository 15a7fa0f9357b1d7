import type { CallId } from "../../domain/shared/ids.ts";
import type { Aggregates } from "../log/aggregates.ts";
import type { Directory } from "../ports/directory.ts";
import type { SessionPresence } from "../ports/session-presence.ts";
import type { Conversations, SessionListener } from "../ports/voice-session.ts";
import type { EngineSettings } from "../settings.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { createConversations, TOOL_ARGUMENTS } from "./conversations.ts";

export type RunningConversations = ReturnType<typeof createConversations>;

type OpenDeps = Pick<
  ConversationDeps,
  "eventStore" | "codec" | "pinnedConversations" | "clock" | "logger"
> & {
  readonly aggregates: Pick<Aggregates, "calls">;
  readonly directory: Pick<Directory, "onOwnList">;
  readonly settings: Pick<EngineSettings, "processId">;
  readonly conversing?: Pick<ConversationDeps, "models" | "tools" | "metrics"> & {
    readonly presence: SessionPresence;
  };
};

/** The conversations of one process, and its reports to the others on which calls it talks. */
export function openConversations(
  deps: OpenDeps,
  hangUp: ConversationDeps["hangUp"],
): RunningConversations | null {
  const { conversing } = deps;
  if (conversing === undefined) return null;
  const { presence } = conversing;
  const conversations = createConversations({
    ...deps,
    ...conversing,
    calls: deps.aggregates.calls,
    hangUp,
    suppressed: deps.directory.onOwnList,
    sessionSeenAt: presence.seenAt,
    processId: deps.settings.processId,
    toolArguments: TOOL_ARGUMENTS,
  });
  return { ...conversations, arrive: (arrival) => present(conversations, presence, arrival) };
}

async function present(
  conversations: Conversations,
  presence: SessionPresence,
  arrival: Parameters<Conversations["arrive"]>[0],
): Promise<SessionListener | null> {
  const { callId } = arrival;
  const listener = await conversations.arrive(arrival);
  if (listener === null) return null;
  presence.begun(callId);
  return untilClosed(listener, presence, callId);
}

function untilClosed(listener: SessionListener, presence: SessionPresence, callId: CallId): SessionListener {
  return {
    ...listener,
    closed: (cause) => {
      presence.ended(callId);
      listener.closed(cause);
    },
  };
}
