import { type Instant, instantFromMillis, millisOf } from "../shared/instant.ts";
import type { CallState } from "./state.ts";

/** Every non-terminal state ends in bounded time, even if the carrier never says another word (docs/api.md §4). Milliseconds. */
export const LOOK_AGAIN_MILLIS = 5_000;
/** An absent call counts only from here on: the dial request may still be on its way. */
export const ABSENT_COUNTS_AFTER_MILLIS = 20_000;
const ASKED_AT_MOST_MILLIS = 10 * 60_000;
const RING_GRACE_MILLIS = 15_000;
/** An answer without a conversation: the carrier is asked, then it is hung up. */
export const CONNECTED_LIMIT_MILLIS = 10_000;
/** After a session closed in mid-call the carrier is asked, and later the call is hung up. */
export const SESSION_GONE_LOOK_MILLIS = 5_000;
const SESSION_GONE_LIMIT_MILLIS = 15_000;
/** Every answered call is looked up so often, whatever its carrier told. */
const REGULAR_LOOK_MILLIS = 5 * 60_000;
const HANG_UP_LIMIT_MILLIS = 30_000;

/**
 * What the due loop has to do. lookup: ask the carrier, then `ExpireDeadline` with its answer. hang_up: `RequestEnd` for the maximum duration when
 * nobody asked before, then ask the carrier to hang up. expire: `ExpireDeadline` at once, and hang up when it asks for the end.
 */
export type CallAction = "nothing" | "dial" | "lookup" | "hang_up" | "expire";

export function isLive(state: CallState): boolean {
  return state.status !== null && state.endedAt === null;
}

/** It was dialled, and nobody has asked for its end: the carrier can tell how it stands. */
export function isOut(state: CallState): boolean {
  return isLive(state) && state.dialBeganAt !== null && state.endRequested === null;
}

/**
 * Once the end is wanted nothing else is asked of the carrier: it hangs up, or the call is closed 30 s later. `dueAt`: since when this look was due;
 * a regular look-up that fell in between is made up for.
 */
export function nextAction(state: CallState, now: Instant, dueAt: Instant = now): CallAction {
  if (!isLive(state)) return "nothing";
  const at = millisOf(now);
  if (at >= hangUpLimit(state)) return "expire";
  if (state.dialBeganAt === null) return beforeDial(state, at);
  if (state.endRequested !== null || at >= maxDurationAt(state)) return "hang_up";
  if (at >= sessionGoneSince(state) + SESSION_GONE_LIMIT_MILLIS) return "expire";
  const isDue = at >= statusDeadline(state) || nextRegularLook(state, millisOf(dueAt) - 1) <= at;
  return isDue ? "lookup" : "nothing";
}

/**
 * The next time anybody must look at this call; null once it has ended. What is due already (a carrier that has to be asked again) is due again
 * in 5 s.
 */
export function nextLookAt(state: CallState, now: Instant): Instant | null {
  if (!isLive(state)) return null;
  const at = millisOf(now);
  const moments = [
    hangUpLimit(state),
    askAgainAt(state, at),
    state.dialBeganAt === null ? dialMoment(state, at) : statusDeadline(state),
    sessionGoneSince(state) + SESSION_GONE_LIMIT_MILLIS,
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

/** The dial, and when that moment is past, the moment from which on nobody may dial any more. */
function dialMoment(state: CallState, at: number): number {
  const dialAt = millisOrNever(state.dialAt);
  return dialAt > at ? dialAt : millisOrNever(state.dialBy);
}

/** A hang-up is asked for again as long as nobody confirmed it. */
function askAgainAt(state: CallState, at: number): number {
  return state.endRequested === null ? Number.POSITIVE_INFINITY : at;
}

/** When a requested end, or one by the maximum duration, is closed without the carrier. */
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

/** When the carrier has to be asked how the call stands. */
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
      return sessionGoneSince(state) + SESSION_GONE_LOOK_MILLIS;
    case "completed":
    case "failed":
    case null:
      return Number.POSITIVE_INFINITY;
  }
}

/** Since when a conversation that had a session has none. A carrier that tells the conversation itself has no sessions. */
function sessionGoneSince({ status, sessionOpen, sessionSince }: CallState): number {
  return status === "in_progress" && !sessionOpen ? millisOrNever(sessionSince) : Number.POSITIVE_INFINITY;
}

/** Nobody talks to whoever answered, and the time for it is over. */
export function isSilent(state: CallState, now: Instant): boolean {
  if (state.endRequested !== null) return false;
  const at = millisOf(now);
  if (state.status === "connected") return at >= statusDeadline(state);
  return at >= sessionGoneSince(state) + SESSION_GONE_LIMIT_MILLIS;
}

/** The carrier's word that it does not have the call now ends it: it was asked because something is wrong, or in its turn. */
export function absentEnds(state: CallState, now: Instant): boolean {
  const at = millisOf(now);
  return at >= statusDeadline(state) || at >= millisOrNever(state.connectedAt) + REGULAR_LOOK_MILLIS;
}

/** The first after `at`. */
function nextRegularLook({ connectedAt }: CallState, at: number): number {
  if (connectedAt === null) return Number.POSITIVE_INFINITY;
  const since = millisOf(connectedAt);
  const passed = Math.max(0, Math.floor((at - since) / REGULAR_LOOK_MILLIS));
  return since + (passed + 1) * REGULAR_LOOK_MILLIS;
}

/** From when on a call whose outcome cannot be found out is given up. */
export function unknowableAt(state: CallState): number {
  return millisOrNever(state.dialBeganAt) + ASKED_AT_MOST_MILLIS;
}

export function absentCounts(state: CallState, now: Instant): boolean {
  return millisOf(now) >= millisOrNever(state.dialBeganAt) + ABSENT_COUNTS_AFTER_MILLIS;
}

function millisOrNever(instant: Instant | null): number {
  return instant === null ? Number.POSITIVE_INFINITY : millisOf(instant);
}
