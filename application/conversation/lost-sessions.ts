import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf, plusMillis } from "../../domain/shared/instant.ts";
import { callStream } from "../log/stream-names.ts";
import type { Admission } from "../ports/admission.ts";
import type { SessionPresence } from "../ports/session-presence.ts";
import { repeatUntilStopped } from "../repeating.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { endLostSession, openSessionIn } from "./end-lost-session.ts";

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
      if (event.type === "CallSessionEnded" || isCallEnd(event)) begun.delete(event.data.callId);
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
  const { calls, presence, clock } = deps;
  const open = await calls.query(callStream(callId), openSessionIn, { fresh: true });
  if (open === null) return presence.forget(callId);
  if (millisOf(open.since) + LOST_MILLIS > clock.nowMillis()) return;
  const seenAt = await presence.seenAt(callId);
  if (await endLostSession(deps, callId, open, { seenAt, speed: 1 })) await presence.forget(callId);
}
