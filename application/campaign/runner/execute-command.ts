import type { WorldCondition } from "../../../domain/campaign/conditions.ts";
import { idOf } from "../../../domain/campaign/contacts/contact-row.ts";
import type { CampaignCommand } from "../../../domain/campaign/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import { campaignStream } from "../../log/stream-names.ts";
import { type Outcome, refused } from "../../outcome.ts";
import { refusedByRule } from "../../refused-by-rule.ts";
import type { QueuedCommand, UserCommand } from "./queued-command.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import type { RunningCampaign } from "./running-campaign.ts";
import { worldConditions } from "./world-conditions.ts";

/**
 * Executes a command in the process that owns the campaign, so that it cannot race with the runner.
 * Pause and cancel answer after every dial recorded before them has begun or failed: after the
 * answer no new dial begins.
 */
export async function executeCommand(
  deps: RunnerDeps,
  running: RunningCampaign,
  command: QueuedCommand,
  origin: EventOrigin,
): Promise<Outcome<null>> {
  const { campaignId } = running;
  await running.ready;
  try {
    const commands =
      command.type === "GiveUpCall"
        ? await unknownOutcome(deps, running, command.callId)
        : [await completed(deps, running, command)];
    const handled = await deps.aggregates.campaigns.handle(campaignStream(campaignId), commands, origin);
    running.wake();
    if (command.type === "PauseCampaign" || command.type === "CancelCampaign") await running.dialsBegun();
    return { ok: true, value: null, position: handled.position };
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

/** Adds the current time and conditions. */
async function completed(
  deps: RunnerDeps,
  running: RunningCampaign,
  command: UserCommand,
): Promise<CampaignCommand> {
  const { now } = deps.clock;
  switch (command.type) {
    case "StartCampaign":
      return { ...command, world: await worldOf(deps, running), now: now() };
    case "ResumeCampaign":
      return { ...command, by: "api", world: await worldOf(deps, running), now: now() };
    case "SkipContact":
      return { ...command, reason: "by_request", now: now() };
    default:
      return { ...command, now: now() };
  }
}

/**
 * The number may have been dialled, so it is not dialled again. An attempt with a recorded outcome keeps it.
 */
async function unknownOutcome(
  deps: RunnerDeps,
  { campaignId }: RunningCampaign,
  callId: CallId,
): Promise<readonly CampaignCommand[]> {
  const contactId = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ live, contacts }) => idOf(contacts, live.get(callId) ?? -1),
    { fresh: true },
  );
  const now = deps.clock.now();
  const complete = { type: "CompleteIfDone", now } as const;
  if (contactId === undefined) return [complete];
  const outcome = { endReason: "outcome_unknown", durationSeconds: null, cost: 0, endedAt: now } as const;
  return [{ type: "RecordAttemptOutcome", contactId, callId, ...outcome, now }, complete];
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
