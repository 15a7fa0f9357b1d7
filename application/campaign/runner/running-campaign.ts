import type { AdmissionRefusal } from "../../../domain/admission/requests.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../../domain/shared/instant.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { createWakeSignal, type WakeSignal } from "../../wake-signal.ts";
import { recordOutcome } from "./attempt-outcome.ts";
import { createCallStarts } from "./call-starts.ts";
import type { CampaignRun } from "./campaign-run.ts";
import { nextStep } from "./next-step.ts";
import { createLeftOut, type LeftOut } from "./policy-holds.ts";
import { createQuestions } from "./questions.ts";
import type { CallEnd, CallOwners, RunnerDeps } from "./runner-deps.ts";
import { takeOver } from "./take-over.ts";

/** Pause after a failed store; nothing cuts it short. */
const AFTER_FAILURE_MILLIS = 1_000;
/**
 * A refusal may come from a state that another process changed, so the campaign is taken over again. After so
 * many refusals in a row it is given up.
 */
const REFUSED_AT_MOST = 3;

export type RunningCampaign = {
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  /** Resolves when every contact in a call is known to this process, and its call is started. */
  readonly ready: Promise<void>;
  /** Something happened that may let it go on. */
  wake(): void;
  /**
   * It needed no owner at its last step, or was released. Whoever changes it after that must run it again.
   */
  isOver(): boolean;
  /** Since when the longest waiting contact could have been called; null: none is due. */
  oldestDueSince(): Instant | null;
  /** Another process believes to own the campaign as well and has written to it: take over what it began. */
  lookAfresh(): void;
  /** A call has ended: retried until it is recorded. */
  callEnded(end: CallEnd): void;
  /** Why its last request for slots was not granted completely. */
  refusal(): AdmissionRefusal;
  /** Whom it does not ask for at the moment. */
  readonly leftOut: Pick<LeftOut, "has">;
  /** A call of anybody has ended: it may have kept contacts of this campaign from being called. */
  anyCallEnded(callId: CallId): void;
  /** Resolves when every dial recorded so far has begun or failed. */
  dialsBegun(): Promise<void>;
  stop(): void;
  /** Resolves when the campaign needs no owner any more, or after `stop`. */
  readonly finished: Promise<"done" | "stopped">;
};

/**
 * Runs a campaign whose lease this process holds: takes it over, then goes from step to step until
 * nothing is left to do.
 */
export function runCampaign(
  deps: RunnerDeps,
  callOwners: CallOwners,
  campaignId: CampaignId,
  owner: OwnerId,
): RunningCampaign {
  return new SteppingCampaign(deps, callOwners, campaignId, owner);
}

class SteppingCampaign implements RunningCampaign {
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  readonly ready: Promise<void>;
  readonly finished: Promise<"done" | "stopped">;
  readonly #deps: RunnerDeps;
  readonly #run: CampaignRun;
  readonly #stopper = new AbortController();
  readonly #signal: WakeSignal;
  readonly #nowReady: () => void;
  #over = false;
  #takenOver = false;
  #refused = 0;

  constructor(deps: RunnerDeps, callOwners: CallOwners, campaignId: CampaignId, owner: OwnerId) {
    const stop = this.#stopper.signal;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.campaignId = campaignId;
    this.owner = owner;
    this.ready = promise;
    this.#nowReady = resolve;
    this.#deps = deps;
    this.#signal = createWakeSignal(deps.clock, stop);
    this.#run = {
      campaignId,
      owner,
      stop,
      starts: createCallStarts(
        deps,
        { recordEnd: (end) => recordOutcome(deps, this.#run, end), fewLeft: this.#signal.wake },
        stop,
      ),
      callOwners,
      hungUp: new Set(),
      wake: this.#signal.wake,
      refusal: null,
      metSuppressed: false,
      metPolicy: false,
      leftOut: createLeftOut(deps.clock, deps.endedCalls),
      questions: createQuestions(),
      onlyListed: false,
      policyVersion: 0,
      dueSince: null,
      oldestDueSince: null,
    };
    this.finished = this.#stepOn().finally(() => {
      deps.startLimit.withdraw(this.#run);
      this.#nowReady();
    });
  }

  wake(): void {
    this.#signal.wake();
  }

  isOver(): boolean {
    return this.#over;
  }

  oldestDueSince(): Instant | null {
    return this.#run.oldestDueSince;
  }

  lookAfresh(): void {
    this.#takenOver = false;
    this.wake();
  }

  callEnded(end: CallEnd): void {
    void recordOutcome(this.#deps, this.#run, end);
  }

  refusal(): AdmissionRefusal {
    return this.#run.refusal;
  }

  get leftOut(): Pick<LeftOut, "has"> {
    return this.#run.leftOut;
  }

  anyCallEnded(callId: CallId): void {
    if (this.#run.leftOut.callEnded(callId)) this.wake();
  }

  dialsBegun(): Promise<void> {
    return this.#run.starts.allBegun();
  }

  stop(): void {
    this.#stopper.abort("stopped");
  }

  async #stepOn(): Promise<"done" | "stopped"> {
    while (!this.#stopper.signal.aborted) {
      try {
        if (await this.#step()) return "done";
      } catch (error) {
        if (this.#isRefusedOnceTooOften(error)) return "stopped";
        this.#deps.logger.error(
          { campaignId: this.campaignId, error },
          "campaign step failed; taken over afresh",
        );
        this.#takenOver = false;
        await this.#deps.clock.sleep(AFTER_FAILURE_MILLIS, this.#stopper.signal);
      }
    }
    return "stopped";
  }

  /** One step and the wait after it; true: the campaign needs no owner any more. */
  async #step(): Promise<boolean> {
    const { clock, settings, startLimit } = this.#deps;
    if (!this.#takenOver) {
      this.#takenOver = true;
      await takeOver(this.#deps, this.#run);
    }
    this.#nowReady();
    const step = await nextStep(this.#deps, this.#run).finally(() => startLimit.passOn(this.#run));
    this.#refused = 0;
    if (step.kind === "done" && !this.#signal.isWoken()) {
      this.#over = true;
      return true;
    }
    const at = step.kind === "done" ? clock.now() : step.at;
    await this.#signal.wait(Math.min(millisUntil(this.#deps, at), settings.longestWaitMillis));
    return false;
  }

  #isRefusedOnceTooOften(error: unknown): boolean {
    this.#refused = isRefusedForGood(error) ? this.#refused + 1 : 0;
    if (this.#refused < REFUSED_AT_MOST) return false;
    this.#over = true;
    this.#deps.givenUp.add("campaign-runner", { campaignId: this.campaignId }, error);
    return true;
  }
}

function millisUntil(deps: RunnerDeps, at: Instant | null): number {
  return at === null ? deps.settings.longestWaitMillis : millisOf(at) - deps.clock.nowMillis();
}
