import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../../domain/shared/instant.ts";
import type { AdmissionRefusal } from "../../ports/admission.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { createWakeSignal } from "../../wake-signal.ts";
import { recordOutcome } from "./attempt-outcome.ts";
import { createCallStarts } from "./call-starts.ts";
import type { CampaignRun } from "./campaign-run.ts";
import { nextStep } from "./next-step.ts";
import type { CallEnd, CallOwners, RunnerDeps } from "./runner-deps.ts";
import { takeOver } from "./take-over.ts";

/** A wait that nothing cuts short after a store failed. */
const AFTER_FAILURE_MILLIS = 1_000;
/** A refusal may be by a state that another process has changed: a campaign that is taken over afresh so often and refused each time stands still. */
const REFUSED_AT_MOST = 3;

export type RunningCampaign = {
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  /** Resolves when every contact that is in a call is known to this process, and its call started. */
  readonly ready: Promise<void>;
  /** Something happened that may let it go on. */
  readonly wake: () => void;
  /** It needed nobody any more when it looked last, or was given up: whoever changes it after that has to run it again. */
  readonly isOver: () => boolean;
  /** Since when the contact that waits longest could have been called; null: nobody is due. */
  readonly oldestDueSince: () => Instant | null;
  /** Another process believes that it owns the campaign, too, and has written to it: what it began is taken over. */
  readonly lookAfresh: () => void;
  /** A call of it has ended: recorded until it is durable. */
  readonly callEnded: (end: CallEnd) => void;
  /** Why its last question for slots was not granted whole. */
  readonly refusal: () => AdmissionRefusal;
  /** Resolves when every dial recorded so far has begun or failed. */
  readonly dialsBegun: () => Promise<void>;
  readonly stop: () => void;
  /** Resolves when the campaign needs nobody any more, or after `stop`. */
  readonly finished: Promise<"done" | "stopped">;
};

/** Runs a campaign whose lease this process holds: takes over, then goes from step to step until nothing is left to wait for. */
export function runCampaign(
  deps: RunnerDeps,
  callOwners: CallOwners,
  campaignId: CampaignId,
  owner: OwnerId,
): RunningCampaign {
  const stopper = new AbortController();
  const signal = createWakeSignal(deps.clock, stopper.signal);
  const starts = createCallStarts(deps, (end) => recordOutcome(deps, run, end), stopper.signal);
  const { wake } = signal;
  const run: CampaignRun = {
    campaignId,
    owner,
    stop: stopper.signal,
    starts,
    callOwners,
    hungUp: new Set(),
    wake,
    refusal: null,
    dueSince: null,
    oldestDueSince: null,
  };
  const ready = Promise.withResolvers<void>();
  let over = false;

  let takenOver = false;
  let refused = 0;
  const loop = async (): Promise<"done" | "stopped"> => {
    while (!stopper.signal.aborted) {
      try {
        if (!takenOver) {
          takenOver = true;
          await takeOver(deps, run);
        }
        ready.resolve();
        const step = await nextStep(deps, run);
        refused = 0;
        if (step.kind === "done" && !signal.isWoken()) {
          over = true;
          return "done";
        }
        const at = step.kind === "done" ? deps.clock.now() : step.at;
        await signal.wait(Math.min(millisUntil(deps, at), deps.settings.longestWaitMillis));
      } catch (error) {
        refused = isRefusedForGood(error) ? refused + 1 : 0;
        if (refused >= REFUSED_AT_MOST) {
          over = true;
          deps.leftAside.leave("campaign-runner", { campaignId }, error);
          return "stopped";
        }
        deps.logger.error({ campaignId, error }, "campaign step failed; taken over afresh");
        takenOver = false;
        await deps.clock.sleep(AFTER_FAILURE_MILLIS, stopper.signal);
      }
    }
    return "stopped";
  };

  const finished = loop().finally(() => ready.resolve());
  return {
    campaignId,
    owner,
    ready: ready.promise,
    wake,
    isOver: () => over,
    oldestDueSince: () => run.oldestDueSince,
    lookAfresh: () => {
      takenOver = false;
      wake();
    },
    callEnded: (end) => void recordOutcome(deps, run, end),
    refusal: () => run.refusal,
    dialsBegun: starts.allBegun,
    stop: () => stopper.abort("stopped"),
    finished,
  };
}

function millisUntil(deps: RunnerDeps, at: Instant | null): number {
  return at === null ? deps.settings.longestWaitMillis : millisOf(at) - deps.clock.nowMillis();
}
