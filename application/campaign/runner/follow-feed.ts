import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { FollowerProgress } from "../../log/processor-status.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";
import { repeatUntilStopped } from "../../repeating.ts";
import type { OwnedCampaigns } from "./owned-campaigns.ts";
import type { RunnerDeps } from "./runner-deps.ts";

const AFTER_FAILURE_MILLIS = 1_000;

/**
 * Reports the ends of calls to campaigns. It starts at the head of the log before anything is taken over, so
 * that no end is missed.
 */
export async function followFeed(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  stop: AbortSignal,
  following: () => void,
  search: () => void,
  progress: FollowerProgress,
): Promise<void> {
  let after: string | null = null;
  const pause = () => deps.clock.sleep(AFTER_FAILURE_MILLIS, stop);
  const onFailure = (error: unknown) =>
    deps.logger.error({ error }, "campaign runner lost the feed; follows it again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
    after ??= await deps.eventStore.head();
    following();
    for await (const batch of deps.feed.follow({ after, signal: stop, name: "campaign-runner" })) {
      for (const recorded of batch.events) hear(deps, owned, recorded, search);
      after = batch.position;
      progress.took(batch);
    }
  });
}

function hear(deps: RunnerDeps, owned: OwnedCampaigns, recorded: RecordedEvent, search: () => void): void {
  const { event, revision } = recorded;
  if (isCallEvent(event) && owned.callOwners.has(event.data.callId)) deps.optOuts.hear(event);
  switch (event.type) {
    case "CallCompleted":
    case "CallFailed": {
      deps.endedCalls.set(event.data.callId, true);
      for (const campaign of owned.all()) campaign.anyCallEnded(event.data.callId);
      const call = owned.callOwners.get(event.data.callId);
      if (call === undefined) return;
      const { callId, endReason, durationSeconds, cost, at } = event.data;
      const end = { callId, contactId: call.contactId, endReason, durationSeconds, cost, endedAt: at };
      owned.get(call.campaignId)?.callEnded({ ...end, causationId: recorded.id });
      return;
    }
    case "ContactDialed":
      if (!owned.callOwners.has(event.data.callId)) owned.get(event.data.campaignId)?.lookAfresh();
      return;
    case "ContactsAdded":
      void refresh(deps, owned, event.data.campaignId, revision);
      return;
    case "CampaignCreated":
      if (hasTime(event.data.settings)) search();
      return;
    case "CampaignSettingsChanged":
      if (hasTime(event.data.changes) && owned.get(event.data.campaignId)?.isOver() !== false) search();
      return;
    case "CampaignStarted":
    case "CampaignResumed":
      if (owned.get(event.data.campaignId)?.isOver() !== false) search();
      return;
    default:
      return;
  }
}

/** It starts by itself, so some process must own it until then. */
function hasTime({ startAt }: Partial<CampaignSettings>): boolean {
  return startAt !== undefined && startAt !== null;
}

/** Contacts are added by the process that got the request, so the state folded here may be old. */
async function refresh(
  deps: RunnerDeps,
  owned: OwnedCampaigns,
  campaignId: CampaignId,
  revision: number,
): Promise<void> {
  const campaign = owned.get(campaignId);
  if (campaign === undefined) return;
  const stream = campaignStream(campaignId);
  try {
    const known = await deps.aggregates.campaigns.query(stream, (_, head) => head.revision);
    if (known < revision) await deps.aggregates.campaigns.query(stream, () => null, { fresh: true });
  } catch (error) {
    deps.logger.warn({ campaignId, error }, "added contacts not read yet");
  }
  campaign.wake();
}
