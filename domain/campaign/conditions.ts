import type { Instant } from "../shared/instant.ts";
import { closedUntil } from "./due-contacts.ts";
import type { CampaignEvent, CampaignPaused, PauseReason } from "./events.ts";
import type { CampaignState } from "./state.ts";

/**
 * Conditions for an automatic pause that the campaign cannot know. (It judges outside_call_window by itself.)
 */
export type WorldCondition = {
  readonly phoneNumberInactive: boolean;
  readonly assistantUnpublished: boolean;
  readonly insufficientCredits: boolean;
  readonly carrierUnavailable: boolean;
  /** Five answered calls in a row ended because the assistant failed. */
  readonly assistantUnavailable: boolean;
};

/** Pause reasons that end by themselves. The others end only by resume. */
const RESUMES_BY_ITSELF: ReadonlySet<PauseReason | null> = new Set([
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
]);

type Pause = Pick<CampaignPaused["data"], "reason" | "nextWindowOpensAt">;

/**
 * The automatic reason that holds now, in the order of docs/api.md §5; null: the campaign may run. With
 * nobody left to call there is no reason to pause.
 */
export function automaticPause(state: CampaignState, world: WorldCondition, now: Instant): Pause | null {
  if (state.counts.pending + state.counts.waiting_retry === 0) return null;
  if (world.phoneNumberInactive) return { reason: "phone_number_inactive", nextWindowOpensAt: null };
  if (world.assistantUnpublished) return { reason: "assistant_unpublished", nextWindowOpensAt: null };
  const closed = closedUntil(state, now);
  if (closed !== null) return { reason: "outside_call_window", nextWindowOpensAt: closed.opensAt };
  if (world.insufficientCredits) return { reason: "insufficient_credits", nextWindowOpensAt: null };
  if (world.carrierUnavailable) return { reason: "carrier_unavailable", nextWindowOpensAt: null };
  if (world.assistantUnavailable) return { reason: "assistant_unavailable", nextWindowOpensAt: null };
  return null;
}

/**
 * By the runner: pauses a running campaign, changes the automatic reason (or opening) of a paused one, or
 * resumes it. A manual pause is not changed.
 */
export function judgeConditions(
  { world, now }: { readonly world: WorldCondition; readonly now: Instant },
  state: CampaignState,
): readonly CampaignEvent[] {
  if (state.campaignId === null) return [];
  const moment = { campaignId: state.campaignId, at: now };
  const pause = automaticPause(state, world, now);
  if (state.status === "RUNNING")
    return pause === null ? [] : [{ type: "CampaignPaused", data: { ...moment, ...pause } }];
  if (!resumesByItself(state)) return [];
  if (pause === null) return [{ type: "CampaignResumed", data: { ...moment, by: "system" } }];
  return isPausedLike(state, pause) ? [] : [{ type: "CampaignPaused", data: { ...moment, ...pause } }];
}

/** New contacts and changed settings can bring the opening forward; then the pause is recorded again. */
export function isPausedLike(state: CampaignState, { reason, nextWindowOpensAt }: Pause): boolean {
  return state.pauseReason === reason && state.nextWindowOpensAt === nextWindowOpensAt;
}

/** Whether it is paused for a reason that ends by itself. */
export function resumesByItself(state: CampaignState): boolean {
  return RESUMES_BY_ITSELF.has(state.pauseReason);
}
