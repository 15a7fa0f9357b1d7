import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { CallState } from "./state.ts";

/**
 * Every call ends in bounded time, even if the carrier never reports anything again
 * (docs/api.md §4). Milliseconds.
 */
export const LOOK_AGAIN_MILLIS = 5_000;
/**
 * A look-up that answers "absent" counts only from here on: before that the dial request may
 * still be on its way.
 */
export const ABSENT_COUNTS_AFTER_MILLIS = 20_000;
const ASKED_AT_MOST_MILLIS = 10 * 60_000;
const RING_GRACE_MILLIS = 15_000;
/** Answered, but no conversation began: after this time the carrier is asked, then the call is hung up. */
export const CONNECTED_LIMIT_MILLIS = 10_000;
/**
 * When a session closed during the call, the carrier is asked after the first time, and the call hung
 * up after the second.
 */
export const SESSION_LOST_LOOK_MILLIS = 5_000;
export const SESSION_GONE_LIMIT_MILLIS = 15_000;
/** Every answered call is looked up in this interval, whatever its carrier reported. */
const REGULAR_LOOK_MILLIS = 5 * 60_000;
const HANG_UP_LIMIT_MILLIS = 30_000;

/** When sessions can arrive. A call is not silent for as long as nobody could have taken it up. */
export type Reachable = {
  /** Since when a session can arrive at the process that asks; null: all the time. */
  readonly since: Instant | null;
  /** The carrier was told where to open a session, and has until then; null: no session is due. */
  readonly sessionDueBy: Instant | null;
};

const ALWAYS_REACHABLE: Reachable = { since: null, sessionDueBy: null };

/**
 * What the watchdog has to do with a call. lookup: ask the carrier, then `ExpireDeadline` with its answer.
 * hang_up: `RequestEnd` for the maximum duration unless an end was requested before, then ask the carrier to
 * hang up. expire: `ExpireDeadline` at once, and a hang-up if that requests the end.
 */
export type CallAction = "nothing" | "dial" | "lookup" | "hang_up" | "expire";

export function isLive(state: CallState): boolean {
  return state.status !== null && state.endedAt === null;
}

/** Dialled, and no end requested: the carrier can report its state. */
export function isOut(state: CallState): boolean {
  return isLive(state) && state.dialBeganAt !== null && state.endRequested === null;
}

/**
 * Once an end is requested, only the hang-up is asked of the carrier; after 30 s the call is closed without
 * it. `dueAt`: when this look was due. A regular look-up between `dueAt` and `now` is done now.
 */
export function nextAction(
  state: CallState,
  now: Instant,
  dueAt: Instant = now,
  reachable: Reachable = ALWAYS_REACHABLE,
): CallAction {
  if (!isLive(state)) return "nothing";
  const at = millisOf(now);
  if (at >= hangUpLimit(state)) return "expire";
  if (state.dialBeganAt === null) return beforeDial(state, at);
  if (state.endRequested !== null || at >= maxDurationAt(state)) return "hang_up";
  if (state.status === "in_progress" && at >= silentAt(state, reachable)) return "expire";
  const isDue = at >= statusDeadline(state) || nextRegularLook(state, millisOf(dueAt) - 1) <= at;
  return isDue ? "lookup" : "nothing";
}

/**
 * When the watchdog looks at this call again; null once it has ended. A deadline that has passed (a carrier
 * that did not answer) is due again in 5 s.
 */
export function nextLookAt(
  state: CallState,
  now: Instant,
  reachable: Reachable = ALWAYS_REACHABLE,
): Instant | null {
  if (!isLive(state)) return null;
  const at = millisOf(now);
  const moments = [
    hangUpLimit(state),
    askAgainAt(state, at),
    state.dialBeganAt === null ? dialMoment(state, at) : statusDeadline(state),
    silentAt(state, reachable),
    nextRegularLook(state, at),
    maxDurationAt(state),
  ];
  const next = Math.min(...moments.map((moment) => (moment > at ? moment : at + LOOK_AGAIN_MILLIS)));
  return instantFromMillis(next);
}

function beforeDial(state: CallState, at: number): CallAction {
  if (at >= millisOrNever(state.dialBy)) return "expire";
  return at >= millisOrNever(state.dialAt) ? "dial" : "nothing";
}

/** The time of the dial or, once that has passed, dialBy. */
function dialMoment(state: CallState, at: number): number {
  const dialAt = millisOrNever(state.dialAt);
  return dialAt > at ? dialAt : millisOrNever(state.dialBy);
}

/** A hang-up is repeated until it is confirmed. */
function askAgainAt(state: CallState, at: number): number {
  return state.endRequested === null ? Number.POSITIVE_INFINITY : at;
}

/** When the call is closed without the carrier, after a requested end or the maximum duration. */
export function hangUpLimit(state: CallState): number {
  const requested =
    state.endRequested === null
      ? Number.POSITIVE_INFINITY
      : millisOf(state.endRequested.at) + HANG_UP_LIMIT_MILLIS;
  return Math.min(requested, maxDurationAt(state) + HANG_UP_LIMIT_MILLIS);
}

export function maxDurationAt(state: CallState): number {
  return millisOrNever(state.connectedAt) + state.maxDurationSeconds * 1_000;
}

/** When the carrier is asked about the state of the call. */
export function statusDeadline(state: CallState): number {
  switch (state.status) {
    case "initiating":
      return Math.min(
        millisOrNever(state.dialBeganAt) + ABSENT_COUNTS_AFTER_MILLIS,
        millisOrNever(state.outcomeUnknownAt) + LOOK_AGAIN_MILLIS,
      );
    case "ringing":
      return millisOrNever(state.ringingAt) + state.ringTimeoutSeconds * 1_000 + RING_GRACE_MILLIS;
    case "connected":
      return millisOrNever(state.connectedAt) + CONNECTED_LIMIT_MILLIS;
    case "in_progress":
      return sessionLostSince(state) + SESSION_LOST_LOOK_MILLIS;
    case "completed":
    case "failed":
    case null:
      return Number.POSITIVE_INFINITY;
  }
}

/**
 * Since when a conversation has been without its session. Carriers that report the conversation
 * themselves have no sessions.
 */
function sessionLostSince({ status, sessionOpen, sessionSince }: CallState): number {
  return status === "in_progress" && !sessionOpen ? millisOrNever(sessionSince) : Number.POSITIVE_INFINITY;
}

/** Nobody talks to the person who answered, and the time allowed for that has passed. */
export function isSilent(state: CallState, now: Instant, reachable: Reachable = ALWAYS_REACHABLE): boolean {
  return state.endRequested === null && millisOf(now) >= silentAt(state, reachable);
}

function silentAt(state: CallState, { since, sessionDueBy }: Reachable): number {
  const isConnected = state.status === "connected";
  const alone = isConnected ? millisOrNever(state.connectedAt) : sessionLostSince(state);
  const limit = isConnected ? CONNECTED_LIMIT_MILLIS : SESSION_GONE_LIMIT_MILLIS;
  const from = since === null ? alone : Math.max(alone, millisOf(since));
  return sessionDueBy === null ? from + limit : Math.max(from + limit, millisOf(sessionDueBy));
}

/**
 * Whether "absent" from the carrier ends the call now: after a deadline, or from the
 * first regular look-up on.
 */
export function absentEnds(state: CallState, now: Instant): boolean {
  const at = millisOf(now);
  return at >= statusDeadline(state) || at >= millisOrNever(state.connectedAt) + REGULAR_LOOK_MILLIS;
}

/** The first regular look-up after `at`. */
function nextRegularLook({ connectedAt }: CallState, at: number): number {
  if (connectedAt === null) return Number.POSITIVE_INFINITY;
  const since = millisOf(connectedAt);
  const passed = Math.max(0, Math.floor((at - since) / REGULAR_LOOK_MILLIS));
  return since + (passed + 1) * REGULAR_LOOK_MILLIS;
}

/** From here on a call whose outcome cannot be found out is closed. */
export function unknowableAt(state: CallState): number {
  return millisOrNever(state.dialBeganAt) + ASKED_AT_MOST_MILLIS;
}

export function absentCounts(state: CallState, now: Instant): boolean {
  return millisOf(now) >= millisOrNever(state.dialBeganAt) + ABSENT_COUNTS_AFTER_MILLIS;
}

function millisOrNever(instant: Instant | null): number {
  return instant === null ? Number.POSITIVE_INFINITY : millisOf(instant);
}
