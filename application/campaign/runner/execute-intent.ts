import type { CampaignCommand, WorldCondition } from "../../../domain/campaign/commands.ts";
import { assertNever, DomainError } from "../../../domain/shared/errors.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import { campaignStream } from "../../log/stream-names.ts";
import { type Outcome, refused } from "../../outcome.ts";
import { refusedByRule } from "../../refused-by-rule.ts";
import type { CampaignIntent } from "./campaign-intent.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import type { RunningCampaign } from "./running-campaign.ts";
import { worldConditions } from "./world-conditions.ts";

/**
 * Carries a user's wish out in the process that owns the campaign, so that nobody races the runner. Pause and cancel answer after every dial that
 * was recorded before them has begun or failed: later than the answer nobody is dialled for the first time.
 */
export async function executeIntent(
  deps: RunnerDeps,
  running: RunningCampaign,
  intent: CampaignIntent,
  origin: EventOrigin,
): Promise<Outcome<null>> {
  const { campaignId } = running;
  await running.ready;
  try {
    const commands =
      intent.kind === "give_up_call"
        ? await unknownOutcome(deps, running, intent.callId)
        : [await commandFor(deps, running, intent)];
    const handled = await deps.aggregates.campaigns.handle(campaignStream(campaignId), commands, origin);
    running.wake();
    if (intent.kind === "pause" || intent.kind === "cancel") await running.dialsBegun();
    return { ok: true, value: null, position: handled.position };
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

async function commandFor(
  deps: RunnerDeps,
  running: RunningCampaign,
  intent: Exclude<CampaignIntent, { readonly kind: "give_up_call" }>,
): Promise<CampaignCommand> {
  const { now } = deps.clock;
  switch (intent.kind) {
    case "start":
      return { type: "StartCampaign", world: await worldOf(deps, running), now: now() };
    case "pause":
      return { type: "PauseCampaign", now: now() };
    case "resume":
      return { type: "ResumeCampaign", by: "api", world: await worldOf(deps, running), now: now() };
    case "cancel":
      return { type: "CancelCampaign", hangUpActiveCalls: intent.hangUpActiveCalls, now: now() };
    case "change":
      return { type: "ChangeSettings", changes: intent.changes, now: now() };
    case "skip":
      return { type: "SkipContact", contactId: intent.contactId, reason: "by_request", now: now() };
    default:
      return assertNever(intent);
  }
}

/** The number may have been dialled, so it is not dialled again. An attempt that has its outcome already keeps it. */
async function unknownOutcome(
  deps: RunnerDeps,
  { campaignId }: RunningCampaign,
  callId: CallId,
): Promise<readonly CampaignCommand[]> {
  const contactId = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ live, contacts }) => contacts.ids[live.get(callId) ?? -1],
    { fresh: true },
  );
  const now = deps.clock.now();
  const complete = { type: "CompleteIfDone", now } as const;
  if (contactId === undefined) return [complete];
  const outcome = { endReason: "outcome_unknown", durationSeconds: null, cost: 0, endedAt: now } as const;
  const { retryMinuteMillis } = deps.settings;
  return [{ type: "RecordAttemptOutcome", contactId, callId, ...outcome, now, retryMinuteMillis }, complete];
}

async function worldOf(deps: RunnerDeps, running: RunningCampaign): Promise<WorldCondition> {
  const pins = await deps.aggregates.campaigns.query(
    campaignStream(running.campaignId),
    (state) => state.pins,
  );
  if (pins === null) throw new DomainError("campaign.not-found", "There is no such campaign");
  return (await worldConditions(deps, pins)).conditions;
}

export function noSuchCampaign() {
  return refused("CAMPAIGN_NOT_FOUND", "Campaign not found");
}
