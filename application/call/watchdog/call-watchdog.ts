import type { Settlement, Slot } from "../../../domain/admission/requests.ts";
import { type CallAction, nextAction, nextLookAt } from "../../../domain/call/deadlines.ts";
import { endedUndialled } from "../../../domain/call/end-reason.ts";
import type { CallState } from "../../../domain/call/state.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import type { GivenUp } from "../../given-up.ts";
import { callStream } from "../../log/stream-names.ts";
import type { Admission } from "../../ports/admission.ts";
import { createRecentMap } from "../../recent-map.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { createSteadyTime } from "../../steady-time.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import { actOnCall, type CallLookDeps, giveUpCall, isOverInAnyCase } from "./call-look.ts";
import { lookAtStart } from "./look-at-start.ts";

/**
 * A slot without a call is freed this long after its dialBy: anything appended later cannot dial any more
 * (docs/architecture.md §3.7).
 */
const EMPTY_SLOT_MILLIS = 30_000;
const LOOKS_AT_ONCE = 500;
/** The most actions in progress; calls beyond that come first when they are looked at again. */
const ACTIONS_AT_ONCE = 100;
const POSTPONED_KEPT = 1_000;
const AFTER_FAILURE_MILLIS = 1_000;
/** Pause before a call that cannot be read is looked at again, until it must have ended. */
const UNREADABLE_MILLIS = 60_000;

export type CallWatchdogDeps = Omit<CallLookDeps, "wakeWatchdogBy" | "steadyMillis" | "reachableSince"> & {
  readonly admission: Admission;
  readonly givenUp: GivenUp;
  readonly longestWaitMillis: number;
};

export type CallWatchdog = {
  /**
   * The loop over all due calls. Ends when `stop` aborts, or when this process does not dial any more: what
   * is due then is left to the next process.
   */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** The loop waits no longer than until then. */
  readonly wakeWatchdogBy: (at: Instant) => void;
};

export function createCallWatchdog(deps: CallWatchdogDeps): CallWatchdog {
  const acting = new Set<CallId>();
  /** Without it calls that are due at the same moment would always be tried in the order of their ids. */
  const postponed = createRecentMap<CallId, true>(POSTPONED_KEPT);
  const steadyMillis = createSteadyTime(deps.clock);
  let runsSince = deps.clock.now();
  /** When it looks next: whoever asks for a later time does not wake it. */
  let planned: Instant | null = null;
  const isLooking = () => {};
  let wake = isLooking;

  const wakeWatchdogBy = (at: Instant) => {
    if (planned !== null && planned <= at) return;
    planned = at;
    wake();
  };

  const act = async ({ slot, action, unreadable }: Pick<Look, "slot" | "action" | "unreadable">) => {
    if (unreadable === undefined && action === "nothing") return;
    if (acting.has(slot.callId)) return;
    if (acting.size >= ACTIONS_AT_ONCE) return postponed.set(slot.callId, true);
    postponed.delete(slot.callId);
    acting.add(slot.callId);
    const lookDeps = { ...deps, wakeWatchdogBy, steadyMillis, reachableSince: () => runsSince };
    const acted =
      unreadable === undefined ? actOnCall(lookDeps, slot, action) : giveUpCall(lookDeps, slot, unreadable);
    await acted.finally(() => acting.delete(slot.callId));
  };

  const rank = ({ slot }: Look) => (postponed.get(slot.callId) === true ? 0 : 1);

  return {
    wakeWatchdogBy,
    run: async (stop) => {
      const over = AbortSignal.any([stop, deps.dialing.stopped]);
      const signal = createWakeSignal(deps.clock, over);
      runsSince = deps.clock.now();
      void lookAtStart(deps, (slot) => act({ slot, action: "lookup" }), over);
      while (!over.aborted) {
        if (planned !== null && planned <= deps.clock.now()) planned = null;
        const next = await lookRound(deps, runsSince, (looks) => {
          for (const look of looks.toSorted((a, b) => rank(a) - rank(b))) void act(look);
        });
        planned = earlier(planned, next);
        wake = signal.wake;
        await signal.wait(waitUntil(deps, planned));
        wake = isLooking;
      }
    },
  };
}

function earlier(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function waitUntil(deps: CallWatchdogDeps, at: Instant | null): number {
  if (at === null) return deps.longestWaitMillis;
  return Math.min(Math.max(1, millisOf(at) - deps.clock.nowMillis()), deps.longestWaitMillis);
}

/**
 * Looks at everything due; returns when to look again. After a failure of a store it tries
 * again a second later.
 */
async function lookRound(
  deps: CallWatchdogDeps,
  runsSince: Instant,
  act: (looks: readonly Look[]) => void,
): Promise<Instant | null> {
  const { admission, clock } = deps;
  try {
    const slots = await admission.dueLooks(clock.now(), LOOKS_AT_ONCE);
    if (slots.length === 0) return await admission.nextLookAt();
    const looks = await Promise.all(slots.map((slot) => lookAt(deps, slot, runsSince)));
    await admission.setNextLooks(looks.flatMap(({ next }) => (next === null ? [] : [next])));
    await closeAll(
      deps,
      looks.flatMap(({ settlement }) => (settlement === null ? [] : [settlement])),
    );
    act(looks);
    return await admission.nextLookAt();
  } catch (error) {
    deps.logger.error({ error }, "watchdog could not look; tries again");
    return plusMillis(clock.now(), AFTER_FAILURE_MILLIS);
  }
}

async function closeAll(deps: CallWatchdogDeps, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  await deps.admission.close(settlements);
}

type Look = {
  readonly slot: Slot;
  readonly action: CallAction;
  readonly next: { readonly callId: CallId; readonly at: Instant } | null;
  readonly settlement: Settlement | null;
  /** Why the call cannot be read, if it is to be given up. */
  readonly unreadable?: unknown;
};

async function lookAt(deps: CallWatchdogDeps, slot: Slot, runsSince: Instant): Promise<Look> {
  const now = deps.clock.now();
  try {
    return await deps.calls.query(callStream(slot.callId), (state) => judge(slot, state, now, runsSince), {
      fresh: true,
    });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return lookAtUnreadable(deps, slot, now, error);
  }
}

/** It does not delay other calls, and keeps its slot no longer than any call can last. */
function lookAtUnreadable(deps: CallWatchdogDeps, slot: Slot, now: Instant, error: unknown): Look {
  const { callId } = slot;
  const look = { slot, action: "nothing", settlement: null } as const;
  const next = { callId, at: plusMillis(now, UNREADABLE_MILLIS) };
  if (isOverInAnyCase(slot, now)) return { ...look, next, unreadable: error };
  deps.logger.warn({ callId, error }, "call cannot be read; looked at again");
  return { ...look, next };
}

function settlementOf(callId: CallId, { cost, endReason, dialBeganAt }: CallState): Settlement {
  const unused = endReason !== null && endedUndialled(endReason, dialBeganAt !== null);
  return { callId, cost: cost ?? 0, unused };
}

/** The next look is stored before anything is done, so that a crash leaves the call to that look. */
function judge(slot: Slot, state: CallState, now: Instant, runsSince: Instant): Look {
  const { callId } = slot;
  const reachable = { since: runsSince, sessionDueBy: slot.sessionDueBy ?? null };
  if (state.status === null) {
    const freeAt = plusMillis(slot.dialBy, EMPTY_SLOT_MILLIS);
    const settlement = now > freeAt ? { callId, cost: 0, unused: true } : null;
    return {
      slot,
      action: "nothing",
      next: settlement === null ? { callId, at: plusMillis(freeAt, 1) } : null,
      settlement,
    };
  }
  if (state.endedAt !== null)
    return { slot, action: "nothing", next: null, settlement: settlementOf(callId, state) };
  const at = nextLookAt(state, now, reachable);
  return {
    slot,
    action: nextAction(state, now, slot.nextLookAt, reachable),
    next: at === null ? null : { callId, at },
    settlement: null,
  };
}
