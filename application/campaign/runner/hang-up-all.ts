import { DomainError } from "../../../domain/shared/errors.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";

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
        deps.leftAside.leave("campaign-runner", { callId }, error);
      }
    }
  }
  return again;
}
