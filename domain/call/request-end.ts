import type { Of } from "../shared/decider.ts";
import type { CallCommand } from "./commands.ts";
import { isLive } from "./deadlines.ts";
import { failed } from "./ending.ts";
import type { CallEvent, EndWishReason } from "./events.ts";
import { momentOf } from "./moment.ts";
import type { ExistingCall } from "./state.ts";

/** Reasons that are valid before the answer, too. */
const BEFORE_THE_ANSWER: ReadonlySet<EndWishReason> = new Set(["api", "campaign_cancelled"]);

/**
 * Before the dial the call ends at once. Otherwise the carrier is asked to hang up, and the watchdog closes
 * the call if it does not. The first request counts.
 */
export function requestEnd(
  { by, reason, now }: Of<CallCommand, "RequestEnd">,
  state: ExistingCall,
): readonly CallEvent[] {
  if (!isLive(state) || state.endRequested !== null) return [];
  if (state.connectedAt === null && !BEFORE_THE_ANSWER.has(reason)) return [];
  const at = momentOf(state, now);
  const requested: CallEvent = { type: "CallEndRequested", data: { callId: state.callId, at, by, reason } };
  if (state.dialBeganAt !== null) return [requested];
  return [requested, failed(state, at, "canceled", by, null)];
}
