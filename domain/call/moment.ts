import type { Instant } from "../shared/instant.ts";
import type { CallState } from "./state.ts";

/** The times of a call never go back, whatever the carrier's clock or ours says. */
export function momentOf(state: CallState, now: Instant): Instant {
  return state.lastAt !== null && state.lastAt > now ? state.lastAt : now;
}

/** When it happened at the carrier, as far as that fits: not in our future, not before what is known to have come first. */
export function carrierMoment(state: CallState, occurredAt: Instant, now: Instant): Instant {
  return momentOf(state, occurredAt < now ? occurredAt : now);
}
