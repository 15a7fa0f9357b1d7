import { DomainError } from "../shared/errors.ts";
import type { Instant } from "../shared/instant.ts";
import { automaticPause, isPausedLike, refusingAll, type WorldCondition } from "./conditions.ts";
import type { CampaignEvent, CampaignStatus, ChangedPins } from "./events.ts";
import { planProblems } from "./retry-policy.ts";
import type { CampaignSettings } from "./settings.ts";
import type { CampaignState, ExistingCampaign } from "./state.ts";

export const lifecycleRules = {
  StartCampaign: start,
  StartInTime: startInTime,
  PauseCampaign: pause,
  ResumeCampaign: resume,
  CancelCampaign: cancel,
  DeleteCampaign: deleteCampaign,
  ChangeSettings: changeSettings,
};

/** A status that is not listed answers 409, with the current one. */
export function invalidState(status: CampaignStatus): DomainError {
  return new DomainError("campaign.invalid-state", `The campaign is ${status}`, { status });
}

function moment(campaign: ExistingCampaign, now: Instant) {
  return { campaignId: campaign.campaignId, at: now };
}

type AtStart = { readonly world: WorldCondition; readonly now: Instant };

/** Pauses at once when there is an automatic reason. Without credits it is refused. */
function start({ world, now }: AtStart, campaign: ExistingCampaign): readonly CampaignEvent[] {
  if (campaign.status === "RUNNING") return [];
  if (campaign.status !== "PENDING") throw invalidState(campaign.status);
  if (world.insufficientCredits)
    throw new DomainError("campaign.insufficient-credits", "Not enough credits for one minute of a call");
  return [{ type: "CampaignStarted", data: moment(campaign, now) }, ...pausedAtOnce(campaign, world, now)];
}

/**
 * By the runner, once the campaign's startAt has come. No user waits for an answer here, so what prevents
 * calling (also missing credits) pauses the campaign instead of refusing the start. A campaign that is not
 * PENDING is left as it is.
 */
function startInTime({ world, now }: AtStart, campaign: ExistingCampaign): readonly CampaignEvent[] {
  const startAt = startsAt(campaign);
  if (startAt === null || now < startAt) return [];
  return [
    { type: "CampaignStarted", data: { ...moment(campaign, now), by: "system" } },
    ...pausedAtOnce(campaign, world, now),
  ];
}

/** When the campaign starts by itself; null: only a user starts it, or it has started. */
export function startsAt({ status, settings }: CampaignState): Instant | null {
  return status === "PENDING" ? (settings?.startAt ?? null) : null;
}

function pausedAtOnce(
  campaign: ExistingCampaign,
  world: WorldCondition,
  now: Instant,
): readonly CampaignEvent[] {
  const pause = automaticPause(campaign, world, now);
  return pause === null ? [] : [{ type: "CampaignPaused", data: { ...moment(campaign, now), ...pause } }];
}

/** A pause for an automatic reason becomes a manual one: from then on only resume ends it. */
function pause({ now }: { readonly now: Instant }, campaign: ExistingCampaign): readonly CampaignEvent[] {
  if (campaign.status !== "RUNNING" && campaign.status !== "PAUSED") throw invalidState(campaign.status);
  if (campaign.pauseReason === "manual") return [];
  return [
    { type: "CampaignPaused", data: { ...moment(campaign, now), reason: "manual", nextWindowOpensAt: null } },
  ];
}

/**
 * With an automatic reason the campaign is paused at once; if it was paused for that reason
 * already, nothing changes. That the owner's policy refuses all is no such reason here: they are skipped.
 */
function resume(
  { world, now, by }: AtStart & { readonly by: "api" },
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  if (campaign.status === "RUNNING") return [];
  if (campaign.status !== "PAUSED") throw invalidState(campaign.status);
  const refusing = refusingAll(campaign, world.policy, now);
  const accepted = refusing === null ? campaign : { ...campaign, policyAccepted: refusing };
  const holding = automaticPause(accepted, world, now);
  if (holding !== null && isPausedLike(campaign, holding)) return [];
  const resumed: CampaignEvent = {
    type: "CampaignResumed",
    data: { ...moment(campaign, now), by, ...(refusing === null ? {} : { policyVersion: refusing }) },
  };
  return holding === null
    ? [resumed]
    : [resumed, { type: "CampaignPaused", data: { ...moment(campaign, now), ...holding } }];
}

/** A repeat may add the hang-up of the live calls, nothing else. */
function cancel(
  { hangUpActiveCalls, now }: { readonly hangUpActiveCalls: boolean; readonly now: Instant },
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  if (campaign.status === "COMPLETED") throw invalidState(campaign.status);
  const addsHangUp = hangUpActiveCalls && !campaign.hangUpActiveCalls && campaign.live.size > 0;
  if (campaign.status === "CANCELLED" && !addsHangUp) return [];
  return [{ type: "CampaignCancelled", data: { ...moment(campaign, now), hangUpActiveCalls } }];
}

/** Nobody was called for it, so nothing is lost that must be proven. */
function deleteCampaign(
  { now }: { readonly now: Instant },
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  if (campaign.status !== "PENDING") throw invalidState(campaign.status);
  return [{ type: "CampaignDeleted", data: moment(campaign, now) }];
}

type Changes = {
  readonly changes: Partial<CampaignSettings>;
  readonly pins?: ChangedPins;
  readonly now: Instant;
};

/** Retries that are due already keep their time. `startAt` can change only before the start. */
function changeSettings(
  { changes, pins = {}, now }: Changes,
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  if (campaign.status !== "PENDING" && campaign.status !== "PAUSED") throw invalidState(campaign.status);
  const real = realChanges(campaign.settings, changes, campaign.defaulted);
  if (real.startAt !== undefined && campaign.status !== "PENDING") throw invalidState(campaign.status);
  judgePlan({ ...campaign.settings, ...changes }, changes);
  const said = realPins(campaign, pins);
  if (Object.keys(real).length + Object.keys(said).length === 0) return [];
  const data = { ...moment(campaign, now), changes: real };
  return [
    {
      type: "CampaignSettingsChanged",
      data: Object.keys(said).length === 0 ? data : { ...data, pins: said },
    },
  ];
}

/** A plan that is given is refused at its rows; one that no longer fits what is given, as a whole. */
function judgePlan(
  { retryPlan, retryOn, window }: CampaignSettings,
  changes: Partial<CampaignSettings>,
): void {
  const problems = planProblems(retryPlan ?? [], { retryOn, hasWindow: window !== null });
  if (problems.length === 0) return;
  const isGiven = changes.retryPlan !== undefined;
  throw new DomainError("campaign.retry-plan", "The retry plan does not fit the other settings", {
    problems: problems.map(({ path, message }) => ({ path: isGiven ? path : [], message })),
  });
}

/** The rule that fills the texts changes with a text or a speaker, never alone. */
function realPins({ pins: before }: ExistingCampaign, pins: ChangedPins): ChangedPins {
  const old = new Map<string, unknown>(Object.entries(before ?? {}));
  const real = Object.entries(pins).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name) ?? null),
  );
  return real.every(([name]) => name === "placeholders") ? {} : Object.fromEntries(real);
}

/** Giving a setting counts as a change if it had its default before, also when the value is the same. */
function realChanges(
  settings: CampaignSettings,
  changes: Partial<CampaignSettings>,
  defaulted: readonly string[],
): Partial<CampaignSettings> {
  const before = new Map<string, unknown>(
    Object.entries(settings).filter(([name]) => !defaulted.includes(name)),
  );
  const real = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name) ?? null),
  );
  return Object.fromEntries(real);
}

export function completeIfDone(
  { now }: { readonly now: Instant },
  state: CampaignState,
): readonly CampaignEvent[] {
  if (state.campaignId === null || (state.status !== "RUNNING" && state.status !== "PAUSED")) return [];
  const { pending, waiting_retry, dialing } = state.counts;
  if (pending + waiting_retry + dialing > 0) return [];
  return [{ type: "CampaignCompleted", data: { campaignId: state.campaignId, at: now } }];
}
