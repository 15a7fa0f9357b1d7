import type { WorldCondition } from "../../../domain/campaign/conditions.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { nextAction } from "../../../domain/campaign/next-action.ts";
import type { CampaignPins } from "../../../domain/campaign/state.ts";
import type { PolicyInForce } from "../../../domain/policy/policy.ts";
import { assertNever, DomainError } from "../../../domain/shared/errors.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import type { CampaignRun } from "./campaign-run.ts";
import { dialBatch } from "./dial-batch.ts";
import { nobodyIsDue } from "./due-since.ts";
import { askSilentAddress } from "./eligible-contacts.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";
import { worldConditions } from "./world-conditions.ts";

/**
 * done: the campaign needs no owner any more. wait: until something wakes it, or `at` (null:
 * only the longest wait).
 */
export type Step = { readonly kind: "done" } | { readonly kind: "wait"; readonly at: Instant | null };

/** What a campaign waits for (credits, its carrier, an active owner) is checked again in this interval. */
const ASK_AGAIN_MILLIS = 5_000;

/** Does the next thing that follows from the folded state, and returns what to wait for. */
export async function nextStep(deps: RunnerDeps, run: CampaignRun): Promise<Step> {
  const policy = await policyNow(deps, run);
  const action = await deps.aggregates.campaigns.query(campaignStream(run.campaignId), (state) =>
    nextAction(state, policy),
  );
  if (action.kind !== "dial") nobodyIsDue(run);
  switch (action.kind) {
    case "let_go":
      return done(deps, run);
    case "wait":
      return { kind: "wait", at: null };
    case "complete":
      return (await completed(deps, run)) ? again(deps) : { kind: "wait", at: null };
    case "hang_up":
      return { kind: "wait", at: await hangUpAll(deps, run, action.calls) };
    case "start":
      return { kind: "wait", at: await startInTime(deps, run, action.pins, action.startsAt) };
    case "resume":
    case "dial": {
      const world = await worldConditions(deps, action.pins);
      const { policy: inForce } = world.conditions;
      const conditions = run.onlyListed ? { ...world.conditions, silentUrls: [] } : world.conditions;
      if (await judged(deps, run, conditions)) return again(deps);
      if (action.kind === "dial") {
        const { phoneNumberId } = action.pins;
        const { connectionId, freeCalls } = world;
        run.onlyListed = false;
        const line = { phoneNumberId, connectionId, freeCalls, policy: inForce };
        return { kind: "wait", at: await dialBatch(deps, run, line) };
      }
      run.onlyListed = await askSilentAddress(deps, run, inForce);
      if (run.onlyListed) return again(deps);
      return { kind: "wait", at: action.opensAt ?? plusMillis(deps.clock.now(), ASK_AGAIN_MILLIS) };
    }
    default:
      return assertNever(action);
  }
}

/** With another version everybody who was left out may be asked for. */
async function policyNow(deps: RunnerDeps, run: CampaignRun): Promise<PolicyInForce | null> {
  const policy = await deps.policies.inForce(run.owner);
  const version = policy?.version ?? 0;
  if (version !== run.policyVersion) run.leftOut.clear();
  run.policyVersion = version;
  return policy;
}

async function done(deps: RunnerDeps, run: CampaignRun): Promise<Step> {
  await deps.admission.withdrawDemand(run.campaignId);
  return { kind: "done" };
}

function again(deps: RunnerDeps): Step {
  return { kind: "wait", at: deps.clock.now() };
}

async function completed(deps: RunnerDeps, run: CampaignRun): Promise<boolean> {
  const handled = await deps.aggregates.campaigns.handle(
    campaignStream(run.campaignId),
    [{ type: "CompleteIfDone", now: deps.clock.now() }],
    runnerOrigin(run),
    { owned: true },
  );
  return handled.events.length > 0;
}

/** Pauses or resumes if something has changed; true if it did. */
async function judged(deps: RunnerDeps, run: CampaignRun, world: WorldCondition): Promise<boolean> {
  const stream = campaignStream(run.campaignId);
  const now = deps.clock.now();
  const command = { type: "JudgeConditions", world, now } as const;
  const stands = await deps.aggregates.campaigns.query(
    stream,
    (state) => campaignDecider.decide(command, state).length === 0,
  );
  if (stands) return false;
  const handled = await deps.aggregates.campaigns.handle(stream, [command], runnerOrigin(run), {
    owned: true,
  });
  if (handled.events.some(({ type }) => type === "CampaignPaused")) {
    await deps.admission.withdrawDemand(run.campaignId);
  }
  return handled.events.length > 0;
}

const NOT_STARTED_AGAIN_MILLIS = 500;

/**
 * Requests the end of every live call of a cancelled campaign, once each. A call that is still being started
 * is tried again soon. If the end of a call can never be requested, its deadlines end it.
 */
export async function hangUpAll(
  deps: RunnerDeps,
  run: CampaignRun,
  live: readonly CallId[],
): Promise<Instant | null> {
  let again: Instant | null = null;
  for (const callId of live) {
    if (run.hungUp.has(callId)) continue;
    try {
      await deps.hangUp(callId, { by: "api", reason: "campaign_cancelled" }, runnerOrigin(run));
      run.hungUp.add(callId);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      if (error instanceof DomainError) {
        again = plusMillis(deps.clock.now(), NOT_STARTED_AGAIN_MILLIS);
      } else {
        run.hungUp.add(callId);
        deps.givenUp.add("campaign-runner", { callId }, error);
      }
    }
  }
  return again;
}

/**
 * Starts a campaign whose time has come, unless its owner is inactive; returns when to look again. The
 * command checks whether it still has to be started.
 */
async function startInTime(
  deps: RunnerDeps,
  run: CampaignRun,
  pins: CampaignPins,
  startsAt: Instant,
): Promise<Instant> {
  const { aggregates, clock, directory } = deps;
  if (clock.now() < startsAt) return startsAt;
  const owner = await directory.owner(run.owner);
  if (owner?.active !== true) return plusMillis(clock.now(), ASK_AGAIN_MILLIS);
  const { conditions: world } = await worldConditions(deps, pins);
  await aggregates.campaigns.handle(
    campaignStream(run.campaignId),
    [{ type: "StartInTime", world, now: clock.now() }],
    runnerOrigin(run),
    { owned: true },
  );
  return clock.now();
}
