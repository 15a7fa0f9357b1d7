import { DateTime } from "luxon";
import type { EndReason } from "../call/end-reason.ts";
import type { EligibilityCheck, PolicyInForce } from "../policy/policy.ts";
import type { CallWindow } from "../shared/call-window.ts";
import { type Instant, millisOf } from "../shared/instant.ts";

/** When contacts are called again whose attempt failed with one of these ends. */
export type RetryPlanRow = {
  /** In no other row of the plan. */
  readonly endReasons: readonly EndReason[];
  /** Minutes from the end of the n-th attempt that failed with one of them; the last holds for later ones. */
  readonly afterMins: readonly number[];
  /** false: in a call window that begins on a later local date of the contact. */
  readonly sameDay: boolean;
};

/** What may change while PENDING or PAUSED (PATCH /campaigns/:id). */
export type CampaignSettings = {
  readonly name: string;
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  /** As given; null: the default of 3. */
  readonly maxRetries: number | null;
  /** As given; null: the default of 5. */
  readonly retryIntervalMins: number | null;
  readonly retryOn: readonly EndReason[];
  /** Goes before `retryIntervalMins` for the ends that it names; absent or null: it names none. */
  readonly retryPlan?: readonly RetryPlanRow[] | null;
  readonly timezone: string;
  readonly window: CallWindow | null;
  /**
   * When a PENDING campaign starts by itself; absent or null: when a user starts it.
   * Changes only while PENDING.
   */
  readonly startAt?: Instant | null;
  /** Who is asked before each dial in place of the policy's; absent or null: whom the policy asks. */
  readonly eligibility?: EligibilityCheck | null;
};

/** Whom the campaign asks before each dial; null: nobody. */
export function eligibilityCheckOf(
  settings: Pick<CampaignSettings, "eligibility"> | null,
  policy: PolicyInForce | null,
): EligibilityCheck | null {
  return settings?.eligibility ?? policy?.policy.eligibility ?? null;
}

/** Settings that have a default when they are not given; a warning then names them. */
export type DefaultedSetting = "retryOn" | "timezone";

/** A time just passed means now: clocks differ, and a request takes time. */
const PAST_MILLIS = 60_000;

/**
 * Whether a campaign may start by itself then: at most 60 s ago, at most a calendar year ahead. null:
 * yes; else the problem.
 */
export function startTimeProblem(startAt: Instant, now: Instant): string | null {
  const millis = millisOf(startAt);
  if (millis < millisOf(now) - PAST_MILLIS) return "Is more than 60 seconds in the past";
  const latest = DateTime.fromISO(now, { zone: "utc" }).plus({ years: 1 });
  return millis > latest.toMillis() ? "Is more than a year ahead" : null;
}
