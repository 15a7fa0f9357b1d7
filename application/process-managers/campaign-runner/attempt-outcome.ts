import type { EndReason } from "../../../domain/call/end-reason.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { CallId, ContactId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../stream-names.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";

const AFTER_FAILURE_MILLIS = 500;

export type CallEnd = {
  readonly callId: CallId;
  readonly contactId: ContactId;
  readonly endReason: EndReason;
  readonly durationSeconds: number | null;
  readonly endedAt: Instant;
  /** Id of the event that told it. */
  readonly causationId: string | null;
};

/**
 * Records what an attempt came to, until it is durable. Outcomes that arrive together are one append; the same one again changes nothing. A crash
 * before it leaves the contact in its call, whose stream the next owner reads.
 */
export async function recordOutcome(deps: RunnerDeps, run: CampaignRun, end: CallEnd): Promise<void> {
  const { campaignId, stop } = run;
  const { causationId, ...outcome } = end;
  while (!stop.aborted) {
    try {
      const now = deps.clock.now();
      const { retryMinuteMillis } = deps.settings;
      await deps.aggregates.campaigns.handle(
        campaignStream(campaignId),
        [
          { type: "RecordAttemptOutcome", ...outcome, now, retryMinuteMillis },
          { type: "CompleteIfDone", now },
        ],
        runnerOrigin(run, causationId),
      );
      run.callOwners.delete(end.callId);
      run.wake();
      return;
    } catch (error) {
      deps.logger.error({ campaignId, callId: end.callId, error }, "outcome not recorded");
      if (error instanceof DomainError) return;
      await deps.clock.sleep(AFTER_FAILURE_MILLIS, stop);
    }
  }
}
