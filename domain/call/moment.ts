import { type Instant, notBefore } from "../shared/instant.ts";
import type { CallState } from "./state.ts";

/** Times of a call never decrease, whatever the carrier's clock or ours says. */
export function momentOf(state: CallState, now: Instant): Instant {
  return notBefore(state.lastAt, now);
}

/**
 * The time at the carrier, clamped: not in our future, and not before events that are known
 * to have come earlier.
 */
export function carrierMoment(state: CallState, occurredAt: Instant, now: Instant): Instant {
  return momentOf(state, occurredAt < now ? occurredAt : now);
}
