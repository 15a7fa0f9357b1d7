import { campaignStream } from "../../log/stream-names.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { type Pauses, retryUntilDone } from "../../repeating.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { CallEnd, RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";

const PAUSES: Pauses = { first: 500, longest: 500 };

/**
 * Records the outcome of an attempt, and whether the contact asked never to be called again, until it is
 * durable or refused for good. Outcomes that arrive together are one append; a repeat changes nothing. After
 * a crash or a refusal the contact is still in its call, and the next owner reads the call's stream.
 */
export async function recordOutcome(deps: RunnerDeps, run: CampaignRun, end: CallEnd): Promise<void> {
  const { campaignId, stop } = run;
  const { causationId, ...outcome } = end;
  const onFailure = (error: unknown) => {
    if (isRefusedForGood(error)) throw error;
    deps.logger.error({ campaignId, callId: end.callId, error }, "outcome not recorded; tries again");
  };
  const record = async () => {
    const optedOut = end.durationSeconds !== null && (await deps.optOuts.of(end.callId)) !== null;
    const now = deps.clock.now();
    await deps.aggregates.campaigns.handle(
      campaignStream(campaignId),
      [
        { type: "RecordAttemptOutcome", ...outcome, optedOut, now },
        { type: "CompleteIfDone", now },
      ],
      runnerOrigin(run, causationId),
    );
    run.callOwners.delete(end.callId);
    run.wake();
  };
  try {
    await retryUntilDone({ clock: deps.clock, pauses: PAUSES, signal: stop, onFailure }, record);
  } catch (error) {
    deps.givenUp.add("campaign-runner", { campaignId, callId: end.callId }, error);
  }
}
