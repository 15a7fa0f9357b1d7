import type { WorldCondition } from "../../../domain/campaign/commands.ts";
import { judgeConditions, resumesByItself } from "../../../domain/campaign/conditions.ts";
import type { CampaignStatus, PauseReason } from "../../../domain/campaign/events.ts";
import { startsAt } from "../../../domain/campaign/lifecycle.ts";
import type { CampaignPins, CampaignState } from "../../../domain/campaign/state.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { CampaignRun } from "./campaign-run.ts";
import { dialBatch } from "./dial-batch.ts";
import { nobodyIsDue } from "./due-since.ts";
import { hangUpAll } from "./hang-up-all.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";
import { startInTime } from "./start-in-time.ts";
import { worldConditions } from "./world-conditions.ts";

/** done: nobody has to own the campaign any more. wait: until something wakes it, or `at` (null: only the longest wait). */
export type Step = { readonly kind: "done" } | { readonly kind: "wait"; readonly at: Instant | null };

/** Credits and the carrier are asked for again at this distance while a campaign waits for them. */
const ASK_AGAIN_MILLIS = 5_000;

type Standing = {
  readonly status: CampaignStatus | null;
  readonly pauseReason: PauseReason | null;
  readonly resumesByItself: boolean;
  readonly nextWindowOpensAt: Instant | null;
  readonly hangUpActiveCalls: boolean;
  readonly live: readonly CallId[];
  readonly uncalled: number;
  readonly pins: CampaignPins | null;
  readonly startsAt: Instant | null;
};

/** Does the next thing that the folded state asks for, and says what to wait for. Acts on state, whatever woke it. */
export async function nextStep(deps: RunnerDeps, run: CampaignRun): Promise<Step> {
  const standing = await deps.aggregates.campaigns.query(campaignStream(run.campaignId), standingOf);
  const { status, live, pins } = standing;
  if (status !== "RUNNING" || standing.uncalled === 0) nobodyIsDue(run);
  if (status === null || status === "COMPLETED" || pins === null) return done(deps, run);
  if (status === "PENDING") {
    const { startsAt } = standing;
    return startsAt === null
      ? done(deps, run)
      : { kind: "wait", at: await startInTime(deps, run, pins, startsAt) };
  }
  if (status === "CANCELLED") {
    if (live.length === 0) return done(deps, run);
    return { kind: "wait", at: standing.hangUpActiveCalls ? await hangUpAll(deps, run, live) : null };
  }
  if (status === "PAUSED" && !standing.resumesByItself) {
    if (live.length > 0) return { kind: "wait", at: null };
    return standing.uncalled > 0 || !(await completed(deps, run)) ? done(deps, run) : again(deps);
  }
  if (standing.uncalled === 0) {
    if (live.length > 0) return { kind: "wait", at: null };
    return (await completed(deps, run)) ? again(deps) : { kind: "wait", at: null };
  }
  const world = await worldConditions(deps, pins);
  if (await judged(deps, run, world.conditions)) return again(deps);
  if (status === "PAUSED") return { kind: "wait", at: resumeAt(deps, standing) };
  return { kind: "wait", at: await dialBatch(deps, run, world.connectionId) };
}

function standingOf(state: CampaignState): Standing {
  const { status, pauseReason, nextWindowOpensAt, hangUpActiveCalls, live, counts, pins } = state;
  return {
    status,
    pauseReason,
    resumesByItself: resumesByItself(state),
    nextWindowOpensAt,
    hangUpActiveCalls,
    live: [...live.keys()],
    uncalled: counts.pending + counts.waiting_retry,
    pins,
    startsAt: startsAt(state),
  };
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

/** Pauses or resumes when something has changed; true when it did. */
async function judged(deps: RunnerDeps, run: CampaignRun, world: WorldCondition): Promise<boolean> {
  const stream = campaignStream(run.campaignId);
  const now = deps.clock.now();
  const stands = await deps.aggregates.campaigns.query(
    stream,
    (state) => judgeConditions(state, world, now).length === 0,
  );
  if (stands) return false;
  const handled = await deps.aggregates.campaigns.handle(
    stream,
    [{ type: "JudgeConditions", world, now }],
    runnerOrigin(run),
    { owned: true },
  );
  if (handled.events.some(({ type }) => type === "CampaignPaused")) {
    await deps.admission.withdrawDemand(run.campaignId);
  }
  return handled.events.length > 0;
}

function resumeAt(deps: RunnerDeps, { pauseReason, nextWindowOpensAt }: Standing): Instant {
  const askAgain = plusMillis(deps.clock.now(), ASK_AGAIN_MILLIS);
  return pauseReason === "outside_call_window" ? (nextWindowOpensAt ?? askAgain) : askAgain;
}
