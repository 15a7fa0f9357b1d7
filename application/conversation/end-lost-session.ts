import type { CallCommand } from "../../domain/call/decider.ts";
import type { CallState } from "../../domain/call/state.ts";
import { cutsOfLoss } from "../../domain/conversation/opening.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { processOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { loadConversation } from "./load-conversation.ts";

export type OpenSession = {
  readonly owner: OwnerId;
  readonly epoch: number;
  readonly since: Instant;
};

/** The open session of a live call; null: it has none. */
export function openSessionIn({
  owner,
  sessionOpen,
  sessionSince,
  lastEpoch,
  endedAt,
}: CallState): OpenSession | null {
  if (owner === null || !sessionOpen || sessionSince === null || endedAt !== null) return null;
  return { owner, epoch: lastEpoch, since: sessionSince };
}

type EndLostDeps = Pick<
  ConversationDeps,
  "calls" | "eventStore" | "codec" | "pinnedConversations" | "clock" | "processId"
>;

/**
 * Ends a session in the log whose process is gone: how far its last words were heard, and that it is over.
 * `seenAt`: when that process was last seen alive; null: never, so the session counts until its
 * beginning. `speed`: of its line time. Nothing is changed if
 * another process was faster. False: another session has begun.
 */
export async function endLostSession(
  deps: EndLostDeps,
  callId: CallId,
  open: OpenSession,
  { seenAt, speed }: { readonly seenAt: Instant | null; readonly speed: number },
): Promise<boolean> {
  const { calls, clock, processId } = deps;
  const { owner, epoch } = open;
  const loaded = await loadConversation(deps, callId);
  if (loaded?.past.epoch !== epoch) return false;
  const now = clock.now();
  const livedUntil = seenAt ?? open.since;
  const at = livedUntil < now ? livedUntil : now;
  loaded.past.lostAt = at;
  const commands: CallCommand[] = [
    ...cutsOfLoss(loaded.past, speed).map((word) => ({ ...word, epoch, at, now })),
    { type: "EndSession", cause: "process_lost", epoch, at, now },
  ];
  try {
    await calls.handle(callStream(callId), commands, processOrigin(processId, owner, callId));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  return true;
}
