import type { PolicyInForce } from "../policy/policy.ts";
import type { CallWindow } from "../shared/call-window.ts";
import { type CreditUnits, costOfSeconds } from "../shared/credits.ts";
import { type Instant, instantFromMillis, millisOf, plusMillis } from "../shared/instant.ts";
import { nextOpening, windowClosesAt } from "../window/call-window.ts";
import {
  countDue,
  isHeldByWindow,
  isSomebodyHeld,
  type LeftOut,
  lastDueMillis,
  nextDueAt,
} from "./due-contacts.ts";
import type { PauseReason } from "./events.ts";
import type { CampaignSettings } from "./settings.ts";
import type { CampaignState } from "./state.ts";

/** What keeps a campaign from dialling, in the order in which it is judged; the first that holds is shown. */
export const WAITED_FOR = [
  "window",
  "policy",
  "credits",
  "carrier",
  "assistant",
  "capacity",
  "slots",
  "pace",
] as const;
export type WaitingFor = (typeof WAITED_FOR)[number];

/** The progress of a campaign at one moment. */
export type CampaignProgress = {
  /** Contacts that could be dialled now if slots, pace, credits and carrier allowed it. */
  readonly dueNow: number;
  readonly waitingFor: WaitingFor | null;
  readonly estimatedEndAt: Instant | null;
};

/**
 * The recent pace: contacts that were finished (succeeded or failed for good) in so many
 * milliseconds of calling.
 */
export type Pace = { readonly contacts: number; readonly millis: number };

type Waiting = Pick<CampaignProgress, "dueNow" | "waitingFor">;

/** Pauses that end by themselves; all others wait for the user. */
const PAUSED_FOR: Readonly<Record<PauseReason, WaitingFor | null>> = {
  manual: null,
  phone_number_inactive: null,
  assistant_unpublished: null,
  outside_call_window: "window",
  insufficient_credits: "credits",
  carrier_unavailable: "carrier",
  assistant_unavailable: "assistant",
  policy_refuses_all: null,
  list_outdated: "policy",
  eligibility_unavailable: "policy",
};

/**
 * `refusal`: why the last request for slots was not granted completely; null: it was. `leftOut`: whom the
 * policy refused without an event.
 */
export function waitingOf(
  state: CampaignState,
  refusal: WaitingFor | null,
  now: Instant,
  policy: PolicyInForce | null,
  leftOut?: LeftOut,
): Waiting {
  const { status, pauseReason } = state;
  const pausedFor = pauseReason === null ? null : PAUSED_FOR[pauseReason];
  if (status !== "RUNNING" && pausedFor === null) return { dueNow: 0, waitingFor: null };
  const dueNow = countDue(state, now, policy, leftOut);
  const isLeftOut = leftOut !== undefined && dueNow === 0 && countDue(state, now, policy) > 0;
  const waitingFor = isLeftOut ? "policy" : heldBy(state, dueNow, refusal, now, policy);
  return { dueNow, waitingFor: pausedFor ?? waitingFor };
}

function heldBy(
  state: CampaignState,
  dueNow: number,
  refusal: WaitingFor | null,
  now: Instant,
  policy: PolicyInForce | null,
): WaitingFor | null {
  if (dueNow === 0 && isHeldByWindow(state, now, policy)) return "window";
  if (dueNow === 0) return isSomebodyHeld(state, now, policy) ? "policy" : null;
  const isFull = state.live.size >= (state.settings?.maxConcurrentCalls ?? Number.POSITIVE_INFINITY);
  return WAITED_FOR.find((each) => each === refusal || (each === "slots" && isFull)) ?? null;
}

/** Whether the time counts for the pace: somebody is being called, or could be. */
export function isCalling({ status, live }: CampaignState, { dueNow }: Waiting): boolean {
  return status === "RUNNING" && live.size + dueNow > 0;
}

/** Nobody knows when these end. */
const WITHOUT_END: ReadonlySet<WaitingFor | PauseReason | null> = new Set([
  "credits",
  "carrier",
  "assistant",
  "list_outdated",
  "eligibility_unavailable",
]);
/** An estimate over more closings of the window than these would be worthless and expensive. */
const CLOSINGS = 60;

/**
 * When the last contact will be finished if the campaign keeps its pace: the remaining contacts at the pace
 * of the last minutes of calling, from when somebody can be called, in the open hours of the campaign's own
 * zone (those of the owner's policy differ by person); not before the last retry or callback that is due has
 * been called. null: it cannot be estimated.
 */
export function estimatedEnd(
  state: CampaignState,
  { dueNow, waitingFor }: Waiting,
  pace: Pace | null,
  now: Instant,
  policy: PolicyInForce | null,
): Instant | null {
  const { counts, live, settings, pauseReason } = state;
  const goesOn = state.status === "RUNNING" || waitingFor !== null;
  if (!goesOn || settings === null) return null;
  if (WITHOUT_END.has(waitingFor) || WITHOUT_END.has(pauseReason)) return null;
  if (pace === null || pace.contacts <= 0) return null;
  const contacts = counts.pending + counts.waiting_retry + counts.dialing;
  const from = dueNow + live.size > 0 ? now : nextDueAt(state, now, policy);
  if (from === null) return null;
  const each = pace.millis / pace.contacts;
  const last = lastDueMillis(state, now, policy);
  const byPace = afterOpenTime(settings, from, contacts * each);
  if (last <= millisOf(now) || byPace === null) return byPace;
  const afterLast = afterOpenTime(settings, instantFromMillis(last), each);
  return afterLast === null || afterLast > byPace ? afterLast : byPace;
}

/** The moment at which the window has been open for so many milliseconds since `from`; null: too far away. */
function afterOpenTime(
  { timezone, window }: Pick<CampaignSettings, "timezone" | "window">,
  from: Instant,
  millis: number,
): Instant | null {
  let left = Math.round(millis);
  let opensAt = nextOpening(timezone, window, from);
  for (let closings = 0; opensAt !== null && closings <= CLOSINGS; closings += 1) {
    const closesAt = windowClosesAt(timezone, window, opensAt);
    if (closesAt === null) return plusMillis(opensAt, left);
    const open = millisOf(closesAt) - millisOf(opensAt);
    if (left <= open) return plusMillis(opensAt, left);
    left -= open;
    opensAt = nextOpening(timezone, window, closesAt);
  }
  return null;
}

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
  /** From the start to the end of the last call, closed hours included; null: too far away, or never. */
  readonly hours: number | null;
  readonly credits: CreditUnits;
};

/**
 * How long a campaign takes and what it costs, before anything of it exists. All lines are taken to be free
 * for it; retries are not counted.
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
