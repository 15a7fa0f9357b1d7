import { type CreditUnits, costOfSeconds } from "../shared/credits.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import { afterOpenTime } from "./progress.ts";
import type { CallWindow } from "./settings.ts";

/** What an estimate assumes of each contact: one call that rings and is answered. In seconds. */
export const ASSUMED_RINGING = 15;
export const ASSUMED_TALK = 60;

export type EstimateFacts = {
  readonly contacts: number;
  /** Calls at once, at least 1. */
  readonly lines: number;
  /** New calls a second, above 0. */
  readonly callsPerSecond: number;
  readonly timezone: string;
  /** null: people may be called at any time. */
  readonly window: CallWindow | null;
  readonly startsAt: Instant;
  readonly pricePerMinute: CreditUnits;
};

export type CampaignEstimate = {
  /** From the start to the end of the last call, also while the window is closed; null: too far away, or never. */
  readonly hours: number | null;
  readonly credits: CreditUnits;
};

/**
 * How long a campaign takes and what it costs, before anything of it exists. All lines are taken to be free for it; retries
 * are not counted.
 */
export function estimateCampaign({
  timezone,
  window,
  startsAt,
  pricePerMinute,
  ...facts
}: EstimateFacts): CampaignEstimate {
  const endsAt = afterOpenTime({ timezone, window }, startsAt, callingMillis(facts));
  return {
    hours: endsAt === null ? null : (millisOf(endsAt) - millisOf(startsAt)) / 3_600_000,
    credits: facts.contacts * costOfSeconds(ASSUMED_TALK, pricePerMinute),
  };
}

/** The last call begins when the pace allows it and a line is free; then it takes its time. */
function callingMillis({
  contacts,
  lines,
  callsPerSecond,
}: Pick<EstimateFacts, "contacts" | "lines" | "callsPerSecond">): number {
  const before = contacts - 1;
  const call = ASSUMED_RINGING + ASSUMED_TALK;
  return 1_000 * (Math.max(before / callsPerSecond, Math.floor(before / lines) * call) + call);
}
