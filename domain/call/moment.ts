import type { Instant } from "../shared/instant.ts";
import type { CallState } from "./state.ts";

/** Times of a call never decrease, whatever the carrier's clock or ours says. */
export function momentOf(state: CallState, now: Instant): Instant {
  return state.lastAt !== null && state.lastAt > now ? state.lastAt : now;
}

/**
 * The time at the carrier, clamped: not in our future, and not before events that are known
 * to have come earlier.
 */
export function carrierMoment(state: CallState, occurredAt: Instant, now: Instant): Instant {
  return momentOf(state, occurredAt < now ? occurredAt : now);
}
