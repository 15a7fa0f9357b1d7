import { areYoungEnough, type ListStanding } from "../policy/list-age.ts";
import type { PolicyInForce } from "../policy/policy.ts";
import type { Instant } from "../shared/instant.ts";
import { closedUntil } from "./due-contacts.ts";
import type { CampaignEvent, CampaignPaused, PauseReason } from "./events.ts";
import { areAllZonesUnknown, hasNobodyConsented } from "./groups.ts";
import { eligibilityCheckOf } from "./settings.ts";
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
  /** Of the campaign's owner; null: none. */
  readonly policy: PolicyInForce | null;
  /** Lists of numbers that its owner's campaigns do not call. */
  readonly lists: ListStanding;
  /** Addresses of its owner that did not answer, five times in a row, whether somebody may be called. */
  readonly silentUrls: readonly string[];
};

/** Pause reasons that end by themselves. The others end only by resume. */
const RESUMES_BY_ITSELF: ReadonlySet<PauseReason | null> = new Set([
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
  "list_outdated",
  "eligibility_unavailable",
]);

type Pause = Pick<CampaignPaused["data"], "reason" | "nextWindowOpensAt" | "policyVersion">;

/**
 * The automatic reason that holds now, in the order of docs/api.md §5; null: the campaign may run. With
 * nobody left to call there is no reason to pause.
 */
export function automaticPause(state: CampaignState, world: WorldCondition, now: Instant): Pause | null {
  if (toCall(state) === 0) return null;
  if (world.phoneNumberInactive) return { reason: "phone_number_inactive", nextWindowOpensAt: null };
  if (world.assistantUnpublished) return { reason: "assistant_unpublished", nextWindowOpensAt: null };
  const refusing = isRefusalJudged(state, world.policy) ? refusingAll(state, world.policy, now) : null;
  if (refusing !== null)
    return { reason: "policy_refuses_all", nextWindowOpensAt: null, policyVersion: refusing };
  if (areListsOutdated(world, now)) return { reason: "list_outdated", nextWindowOpensAt: null };
  const closed = closedUntil(state, now, world.policy);
  if (closed !== null) return { reason: "outside_call_window", nextWindowOpensAt: closed.opensAt };
  if (world.insufficientCredits) return { reason: "insufficient_credits", nextWindowOpensAt: null };
  if (world.carrierUnavailable) return { reason: "carrier_unavailable", nextWindowOpensAt: null };
  if (world.assistantUnavailable) return { reason: "assistant_unavailable", nextWindowOpensAt: null };
  const asked = eligibilityCheckOf(state.settings, world.policy);
  if (asked !== null && world.silentUrls.includes(asked.url))
    return { reason: "eligibility_unavailable", nextWindowOpensAt: null };
  return null;
}

/** Behind the log also without a policy: whom a list keeps from being called is not known then. */
function areListsOutdated({ lists, policy }: WorldCondition, now: Instant): boolean {
  const maxAgeDays = policy?.policy.listMaxAgeDays;
  return lists.isBehind || (maxAgeDays !== undefined && !areYoungEnough(lists, maxAgeDays, now));
}

function toCall({ counts }: CampaignState): number {
  return counts.pending + counts.waiting_retry;
}

/**
 * Whether a refusal of all contacts pauses the campaign instead of ending them one by one: at its start, when
 * it resumes by itself, and with each version by which nobody was judged yet. A version whose refusal a user
 * resumed never does.
 */
function isRefusalJudged(state: CampaignState, policy: PolicyInForce | null): boolean {
  const { status, policyAccepted, policyJudged } = state;
  const known = status === "RUNNING" ? Math.max(policyAccepted, policyJudged) : policyAccepted;
  return policy !== null && policy.version > known;
}

/**
 * The version of the policy by one rule of which all who are still to be called would be skipped, two at
 * least; null: it is not so.
 */
export function refusingAll(state: CampaignState, policy: PolicyInForce | null, now: Instant): number | null {
  if (policy === null || toCall(state) < 2) return null;
  const isRefusing = areAllZonesUnknown(state, policy, now) || hasNobodyConsented(state, policy, now);
  return isRefusing ? policy.version : null;
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
  if (!resumesByItself(state, world.policy)) return [];
  if (pause === null) return [{ type: "CampaignResumed", data: { ...moment, by: "system" } }];
  return isPausedLike(state, pause) ? [] : [{ type: "CampaignPaused", data: { ...moment, ...pause } }];
}

/** New contacts and changed settings can bring the opening forward; then the pause is recorded again. */
export function isPausedLike(
  state: CampaignState,
  { reason, nextWindowOpensAt, policyVersion }: Pause,
): boolean {
  return (
    state.pauseReason === reason &&
    state.nextWindowOpensAt === nextWindowOpensAt &&
    (policyVersion ?? state.policyRefusing) === state.policyRefusing
  );
}

/**
 * Whether it is paused for a reason that ends by itself. One for which the policy refused all is judged again
 * by its next version.
 */
export function resumesByItself(
  { pauseReason, policyRefusing }: CampaignState,
  policy: PolicyInForce | null,
): boolean {
  if (pauseReason === "policy_refuses_all") return policy !== null && policy.version > policyRefusing;
  return RESUMES_BY_ITSELF.has(pauseReason);
}
