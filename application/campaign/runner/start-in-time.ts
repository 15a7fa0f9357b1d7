import type { CampaignPins } from "../../../domain/campaign/state.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";
import { worldConditions } from "./world-conditions.ts";

/** A change of the owner is notified; this is for a lost notification. */
const ASK_AGAIN_MILLIS = 5_000;

/**
 * Starts a campaign whose time has come, unless its owner is inactive; returns when to look again. The
 * command checks whether it still has to be started.
 */
export async function startInTime(
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
