import { CONNECTED_LIMIT_MILLIS, SESSION_LOST_LOOK_MILLIS } from "../../../domain/call/deadlines.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { type Pauses, retryUntilDone } from "../../repeating.ts";
import { createWakeSignal } from "../../wake-signal.ts";

export type SilenceWatchDeps = {
  readonly admission: Pick<Admission, "setNextLooks" | "dueLooks">;
  /** The watchdog must look at this time at the latest. */
  readonly wakeWatchdogBy: (at: Instant) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longestWaitMillis: number;
};

export type SilenceWatch = {
  readonly hear: (event: DomainEvent) => void;
  readonly run: (stop: AbortSignal) => Promise<void>;
};

/**
 * answered: no conversation yet. talking: a session is open. gone: it closed during the call. over: the call
 * ended before its session did.
 */
type Watched = { readonly kind: "answered" | "talking" | "gone" | "over"; readonly at: number };

const AFTER_FAILURE_MILLIS = 1_000;
const PAUSES: Pauses = { first: 1_000, longest: 5_000 };
/** Every live call has its next look within this time. */
const DAY_MILLIS = 24 * 60 * 60_000;
const CALLS_AT_START = 2_000;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Brings the next look at a call forward when nobody talks in it: 10 s after an answer without a
 * conversation, 5 s after a session closed during the call. Kept in memory, because nearly every call leaves
 * this state by itself. After a crash, each process looks at every live call once at its start.
 */
export function createSilenceWatch(deps: SilenceWatchDeps): SilenceWatch {
  const watched = new Map<CallId, Watched>();
  let next = NEVER;
  let wake = () => {};

  const watch = (callId: CallId, kind: Watched["kind"], at: number) => {
    watched.set(callId, { kind, at });
    if (at >= next) return;
    next = at;
    wake();
  };

  return {
    hear: (event) => hear(watched, watch, event),
    run: async (stop) => {
      const signal = createWakeSignal(deps.clock, stop);
      wake = signal.wake;
      await lookAtAll(deps, stop);
      while (!stop.aborted) {
        const wait = Math.min(next - deps.clock.nowMillis(), deps.longestWaitMillis);
        if (wait > 0) await signal.wait(wait);
        else next = await lookAtSilent(deps, watched, stop);
      }
    },
  };
}

function hear(
  watched: Map<CallId, Watched>,
  watch: (callId: CallId, kind: Watched["kind"], at: number) => void,
  event: DomainEvent,
): void {
  switch (event.type) {
    case "CallConnected":
      watch(event.data.callId, "answered", millisOf(event.data.at) + CONNECTED_LIMIT_MILLIS);
      return;
    case "CallConversationStarted":
      if (event.data.epoch === undefined) watched.delete(event.data.callId);
      else watch(event.data.callId, "talking", NEVER);
      return;
    case "CallSessionBegan":
      // A session that opens before the conversation does not change the limit of the answer.
      if (watched.get(event.data.callId)?.kind !== "answered") watch(event.data.callId, "talking", NEVER);
      return;
    case "CallSessionEnded": {
      const { callId, at } = event.data;
      const kind = watched.get(callId)?.kind;
      if (kind === "over") watched.delete(callId);
      else if (kind !== "answered") watch(callId, "gone", millisOf(at) + SESSION_LOST_LOOK_MILLIS);
      return;
    }
    case "CallCompleted":
    case "CallFailed": {
      const { callId, at } = event.data;
      if (watched.get(callId)?.kind === "talking")
        watch(callId, "over", millisOf(at) + CONNECTED_LIMIT_MILLIS);
      else watched.delete(callId);
      return;
    }
    default:
      return;
  }
}

/** This process has not heard their earlier events. */
async function lookAtAll(deps: SilenceWatchDeps, signal: AbortSignal): Promise<void> {
  const { admission, clock, logger, wakeWatchdogBy } = deps;
  const onFailure = (error: unknown) => logger.error({ error }, "live calls not looked at; tries again");
  await retryUntilDone({ clock, pauses: PAUSES, signal, onFailure }, async () => {
    const now = clock.now();
    const slots = await admission.dueLooks(plusMillis(now, DAY_MILLIS), CALLS_AT_START);
    if (slots.length === 0) return;
    await admission.setNextLooks(slots.map(({ callId }) => ({ callId, at: now })));
    wakeWatchdogBy(now);
  });
}

/** Returns when the next call has been silent for too long. */
async function lookAtSilent(
  { admission, clock, logger, wakeWatchdogBy }: SilenceWatchDeps,
  watched: Map<CallId, Watched>,
  stop: AbortSignal,
): Promise<number> {
  const now = clock.now();
  const due = [...watched].filter(([, { at }]) => at <= millisOf(now));
  const silent = due.flatMap(([callId, { kind }]) => (kind === "over" ? [] : [{ callId, at: now }]));
  try {
    await admission.setNextLooks(silent);
    for (const [callId] of due) watched.delete(callId);
    if (silent.length > 0) wakeWatchdogBy(now);
  } catch (error) {
    logger.error({ error }, "silent calls not looked at; tries again");
    await clock.sleep(AFTER_FAILURE_MILLIS, stop);
  }
  return [...watched.values()].reduce((earliest, { at }) => Math.min(earliest, at), NEVER);
}
