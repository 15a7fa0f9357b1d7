import { type Instant, millisOf } from "../shared/instant.ts";
import {
  absentCounts,
  absentEnds,
  hangUpLimit,
  isLive,
  isSilent,
  type Reachable,
  statusDeadline,
  unknowableAt,
} from "./deadlines.ts";
import type { EndReason } from "./end-reason.ts";
import { requestedBy, requestedReason } from "./end-wish.ts";
import { failed } from "./ending.ts";
import type { CallEvent } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { CallState, ExistingCall } from "./state.ts";

/** Decides every deadline of docs/api.md §4; sent by the watchdog. */
export type Expiry = {
  readonly now: Instant;
  /** The carrier's answer to a look-up; null: it was not asked. */
  readonly lookup: "found" | "never_dialled" | "absent" | "ambiguous" | "unavailable" | null;
  /** Absent: a session could have arrived all the time. */
  readonly reachable?: Reachable;
};

/**
 * Ends the call, or asks for its hang-up because nobody talks on it, when a deadline has passed. No event
 * while there is time left, or while the carrier has to be asked again.
 */
export function expireDeadline(command: Expiry, state: ExistingCall): readonly CallEvent[] {
  if (!isLive(state)) return [];
  const endReason = expiredReason(command, state);
  if (endReason === null) return isToHangUp(command, state) ? [silenceWish(command, state)] : [];
  const error =
    endReason === "outcome_unknown" ? { code: endReason, message: NOBODY_KNOWS, carrierCode: null } : null;
  const endedBy = requestedBy(state) ?? "system";
  return [failed(state, momentOf(state, command.now), endReason, endedBy, error)];
}

const NOBODY_KNOWS = "The carrier that it was dialled through does not say what became of it";

/**
 * How a call ends that rang too long. When it may have been answered without our knowledge, the contact
 * is not called again.
 */
const RUNG_OUT = {
  absent: "setup_timeout",
  ambiguous: "outcome_unknown",
  never_dialled: "no_answer",
  found: "no_answer",
  unavailable: "no_answer",
} as const satisfies Record<NonNullable<Expiry["lookup"]>, EndReason>;

/**
 * An answer without a conversation is acted on only after a look-up, which may report a
 * conversation that we missed.
 */
function isToHangUp({ now, lookup, reachable }: Expiry, state: CallState): boolean {
  return isSilent(state, now, reachable) && (lookup !== null || state.status === "in_progress");
}

function silenceWish({ now }: Expiry, state: ExistingCall): CallEvent {
  return {
    type: "CallEndRequested",
    data: { callId: state.callId, at: momentOf(state, now), by: "system", reason: "assistant_error" },
  };
}

export function isExpired(command: Expiry, state: CallState): boolean {
  return isLive(state) && expiredReason(command, state) !== null;
}

function expiredReason({ now, lookup }: Expiry, state: CallState): EndReason | null {
  const at = millisOf(now);
  if (state.dialBeganAt === null) return state.dialBy !== null && now >= state.dialBy ? "not_placed" : null;
  if (at >= hangUpLimit(state)) return closedReason(state);
  if (lookup === "absent" && state.connectedAt !== null)
    return absentEnds(state, now) ? "connection_lost" : null;
  if (lookup === null || at < statusDeadline(state)) return null;
  switch (state.status) {
    case "initiating":
      return initiatingReason(state, { now, lookup });
    case "ringing":
      return RUNG_OUT[lookup];
    case "connected":
    case "in_progress":
    case "completed":
    case "failed":
    case null:
      return null;
  }
}

function closedReason(state: CallState): EndReason {
  if (state.endRequested === null) return "max_duration";
  return requestedReason(state, state.connectedAt !== null);
}

/**
 * Absent: the carrier never had the call. When that cannot be found out, the contact is never dialled again,
 * because it may have been called.
 */
function initiatingReason(
  state: CallState,
  { now, lookup }: Pick<Expiry, "now" | "lookup">,
): EndReason | null {
  if (lookup === "absent") return absentCounts(state, now) ? "not_placed" : null;
  if (lookup === "found" || lookup === "never_dialled") return null;
  return millisOf(now) >= unknowableAt(state) ? "outcome_unknown" : null;
}
