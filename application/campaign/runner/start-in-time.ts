import type { CampaignPins } from "../../../domain/campaign/state.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";
import { worldConditions } from "./world-conditions.ts";

/** A change of the owner is told; this is for one that was not heard. */
const ASK_AGAIN_MILLIS = 5_000;

/** Starts a campaign whose time has come, unless its owner is inactive; answers when to look again. The command finds out whether it is still to start. */
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
