import type { CallCommand } from "../../domain/call/commands.ts";
import { cutsOfLoss } from "../../domain/conversation/opening.ts";
import type { DomainEvent } from "../../domain/events.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf, plusMillis } from "../../domain/shared/instant.ts";
import { processOrigin } from "../call/call-origin.ts";
import { callStream } from "../log/stream-names.ts";
import type { Admission } from "../ports/admission.ts";
import type { SessionPresence } from "../ports/session-presence.ts";
import { repeatUntilStopped } from "../repeating.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { loadConversation } from "./load-conversation.ts";

export type LostSessionsDeps = Pick<
  ConversationDeps,
  "calls" | "eventStore" | "codec" | "pinnedConversations" | "clock" | "logger" | "processId"
> & {
  readonly presence: Pick<SessionPresence, "lost" | "unknown" | "forget" | "seenAt">;
  readonly admission: Pick<Admission, "dueLooks">;
};

export type LostSessions = {
  readonly hear: (event: DomainEvent) => void;
  readonly run: (stop: AbortSignal) => Promise<void>;
};

/**
 * Processes report every 2 s on which calls they talk. A process without a report for this
 * long counts as dead.
 */
const LOST_MILLIS = 6_000;
const LOOK_MILLIS = 2_000;
const AT_ONCE = 100;
const DAY_MILLIS = 24 * 60 * 60_000;
const CALLS_AT_START = 2_000;

/**
 * Ends the sessions of dead processes in the log: how far the last words were heard, and that the session is
 * over. The limits of a call without a session count from there; a session that comes back in time goes on.
 * Each process looks at every live call once at its start.
 */
export function createLostSessions(deps: LostSessionsDeps): LostSessions {
  /**
   * Sessions that began, here or elsewhere, with the time at which they are checked: by then their
   * process has reported them.
   */
  const begun = new Map<CallId, number>();
  return {
    hear: (event) => {
      if (event.type === "CallSessionBegan")
        begun.set(event.data.callId, millisOf(event.data.at) + LOST_MILLIS);
      if (event.type === "CallSessionEnded" || event.type === "CallCompleted" || event.type === "CallFailed")
        begun.delete(event.data.callId);
    },
    run: async (stop) => {
      const { clock, logger } = deps;
      let asked = false;
      const pause = () => clock.sleep(LOOK_MILLIS, stop);
      const onFailure = (error: unknown) =>
        logger.error({ error }, "sessions of processes that are gone not looked for; tries again");
      await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
        if (!asked) await rememberLive(deps, begun);
        asked = true;
        for (const callId of await lostCalls(deps, begun)) await endLost(deps, callId);
      });
    },
  };
}

async function rememberLive(
  { admission, clock }: LostSessionsDeps,
  begun: Map<CallId, number>,
): Promise<void> {
  const now = clock.now();
  for (const { callId } of await admission.dueLooks(plusMillis(now, DAY_MILLIS), CALLS_AT_START))
    if (!begun.has(callId)) begun.set(callId, millisOf(now) + LOST_MILLIS);
}

async function lostCalls(
  { presence, clock }: LostSessionsDeps,
  begun: Map<CallId, number>,
): Promise<readonly CallId[]> {
  const now = clock.nowMillis();
  const due = [...begun].flatMap(([callId, at]) => (at <= now ? [callId] : []));
  const unknown = due.length === 0 ? [] : await presence.unknown(due);
  for (const callId of due) begun.delete(callId);
  return [...(await presence.lost(LOST_MILLIS, AT_ONCE)), ...unknown];
}

/** Not for a session that began after its process was last seen, and not if it ended meanwhile. */
async function endLost(deps: LostSessionsDeps, callId: CallId): Promise<void> {
  const { calls, presence, clock, processId } = deps;
  const stream = callStream(callId);
  const open = await calls.query(
    stream,
    ({ owner, sessionOpen, sessionSince, lastEpoch, endedAt }) =>
      owner === null || !sessionOpen || sessionSince === null || endedAt !== null
        ? null
        : { owner, since: sessionSince, epoch: lastEpoch },
    { fresh: true },
  );
  if (open === null) return presence.forget(callId);
  if (millisOf(open.since) + LOST_MILLIS > clock.nowMillis()) return;
  const at = (await presence.seenAt(callId)) ?? open.since;
  const loaded = await loadConversation(deps, callId);
  if (loaded?.past.epoch !== open.epoch) return;
  loaded.past.lostAt = at;
  const now = clock.now();
  const commands: CallCommand[] = [
    ...cutsOfLoss(loaded.past, 1).map((word) => ({ ...word, epoch: open.epoch, at, now })),
    { type: "EndSession", cause: "process_lost", epoch: open.epoch, at, now },
  ];
  try {
    await calls.handle(stream, commands, processOrigin(processId, open.owner, callId));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error; // another session, or another process, was faster
  }
  await presence.forget(callId);
}
