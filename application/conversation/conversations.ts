import type { ToolArguments } from "../../domain/conversation/script.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CallId, ConnectionId } from "../../domain/shared/ids.ts";
import { argumentsSchema, checkArguments } from "../../domain/tool/tool-arguments.ts";
import { processOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { Conversations, SessionListener, VoiceSession } from "../ports/voice-session.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { type ConversationLoop, runConversation } from "./conversation-loop.ts";
import { endLostSession, openSessionIn } from "./end-lost-session.ts";
import { type LoadedConversation, loadConversation } from "./load-conversation.ts";
import { watchVerdicts } from "./verdicts.ts";

/** As the domain says what tools take. */
export const TOOL_ARGUMENTS: ToolArguments = {
  argumentsSchema,
  checkArguments: (tool, given) => {
    const checked = checkArguments(tool, given);
    return checked.ok ? null : checked.reason;
  },
};

/** Gives the caller time to set its listener before anything is said. */
const BEGIN_AFTER_MILLIS = 1;

type OpenConversations = Conversations & {
  /** Resolves when every open session has recorded its last event. */
  readonly allOver: () => Promise<void>;
  /** Connections whose models they ask; null: the installation's. */
  readonly connections: () => ReadonlySet<ConnectionId | null>;
};

type OpenConversation = { readonly callId: CallId; readonly connections: readonly (ConnectionId | null)[] };

/** The conversations of this process, one for each session that arrived here. */
export function createConversations(deps: ConversationDeps): OpenConversations {
  const open = new Map<Promise<void>, OpenConversation>();
  return {
    allOver: async () => void (await Promise.all(open.keys())),
    connections: () => new Set([...open.values()].flatMap(({ connections }) => connections)),
    arrive: async ({ callId, session }) => {
      const isHere = open.values().some((each) => each.callId === callId);
      if (!isHere) await endSessionBefore(deps, callId, session.speed);
      const loaded = await beginSession(deps, callId, session);
      if (loaded === null) return null;
      const loop = runConversation(deps, loaded, session);
      void deps.clock.sleep(BEGIN_AFTER_MILLIS).then(() => loop.tell({ type: "begun" }));
      const connections = loaded.speakers.map(({ modelConnectionId }) => modelConnectionId);
      open.set(loop.over, { callId, connections });
      void loop.over.then(() => open.delete(loop.over));
      void watchVerdicts(deps, callId, session.kind, loop);
      return listenerOf(loop);
    },
  };
}

/** null: the call has ended, was never answered, or another session began meanwhile. */
async function beginSession(
  deps: ConversationDeps,
  callId: CallId,
  session: VoiceSession,
): Promise<LoadedConversation | null> {
  const stream = callStream(callId);
  const owner = await deps.calls.query(stream, (state) => state.owner);
  if (owner === null) return null;
  const begin = { type: "BeginSession", kind: session.kind, now: deps.clock.now() } as const;
  try {
    const origin = processOrigin(deps.processId, owner, callId);
    const { events } = await deps.calls.handle(stream, [begin], origin);
    const began = events.find((event) => event.type === "CallSessionBegan");
    const loaded = await loadConversation(deps, callId);
    if (began === undefined || loaded?.past.epoch !== began.data.epoch) return null;
    return loaded;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * The process of the session before this one is gone, and may have been so for long: its
 * session ended then.
 */
async function endSessionBefore(deps: ConversationDeps, callId: CallId, speed: number): Promise<void> {
  const before = await deps.calls.query(callStream(callId), openSessionIn);
  if (before === null) return;
  const seenAt = await deps.sessionSeenAt(callId);
  await endLostSession(deps, callId, before, { seenAt, speed });
}

function listenerOf({ tell }: ConversationLoop): SessionListener {
  return {
    speechStarted: () => tell({ type: "speech_started" }),
    customerSaid: (text, language, continues) => tell({ type: "customer_said", text, language, continues }),
    heardWhole: (utteranceId) => tell({ type: "heard_whole", utteranceId }),
    cut: (utteranceId, heard, heardMillis, precision) =>
      tell({ type: "cut", utteranceId, heard, heardMillis, precision }),
    digit: (digit) => tell({ type: "digit", digit }),
    silence: () => tell({ type: "silence" }),
    machineHeard: (greetingEnded) =>
      tell({ type: "machine_judged", by: "sound", answeredBy: "machine", greetingEnded }),
    closed: (cause) => tell({ type: "closed", cause }),
  };
}
