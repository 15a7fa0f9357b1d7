import type { PolicyInForce } from "../policy/policy.ts";
import type { CallId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { resumesByItself } from "./conditions.ts";
import { startsAt } from "./lifecycle.ts";
import type { CampaignPins, CampaignState } from "./state.ts";

/**
 * What the runner does next. let_go: nothing, the campaign can be released. wait: for the end of live calls,
 * for a command, or for another version of the policy. start: when its time has come. resume: when the reason
 * of the pause has ended; for a call window that is at `opensAt`. dial: the contacts that are due, unless an
 * automatic reason pauses it.
 */
export type CampaignAction =
  | { readonly kind: "let_go" }
  | { readonly kind: "wait" }
  | { readonly kind: "complete" }
  | { readonly kind: "hang_up"; readonly calls: readonly CallId[] }
  | { readonly kind: "start"; readonly pins: CampaignPins; readonly startsAt: Instant }
  | { readonly kind: "resume"; readonly pins: CampaignPins; readonly opensAt: Instant | null }
  | { readonly kind: "dial"; readonly pins: CampaignPins };

/** Depends on the folded state and the owner's policy alone, whatever woke the runner. */
export function nextAction(state: CampaignState, policy: PolicyInForce | null): CampaignAction {
  const { status, pins, live, counts } = state;
  if (status === null || status === "COMPLETED" || pins === null) return { kind: "let_go" };
  if (status === "PENDING") {
    const at = startsAt(state);
    return at === null ? { kind: "let_go" } : { kind: "start", pins, startsAt: at };
  }
  if (status === "CANCELLED") {
    if (live.size === 0) return { kind: "let_go" };
    return state.hangUpActiveCalls ? { kind: "hang_up", calls: [...live.keys()] } : { kind: "wait" };
  }
  const uncalled = counts.pending + counts.waiting_retry;
  const isHeld = status === "PAUSED" && !resumesByItself(state, policy);
  if (live.size > 0 && (isHeld || uncalled === 0)) return { kind: "wait" };
  if (uncalled === 0) return { kind: "complete" };
  // Somebody must see the next version of the policy.
  if (isHeld) return { kind: state.pauseReason === "policy_refuses_all" ? "wait" : "let_go" };
  if (status === "RUNNING") return { kind: "dial", pins };
  const opensAt = state.pauseReason === "outside_call_window" ? state.nextWindowOpensAt : null;
  return { kind: "resume", pins, opensAt };
}
