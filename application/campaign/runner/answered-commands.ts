import type { CampaignId } from "../../../domain/shared/ids.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import type { Outcome } from "../../outcome.ts";
import type { CampaignCommandQueue, QueuedCampaignCommand } from "../../ports/campaign-commands.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { type QueuedCommand, readAnswer, readCommand, writeAnswer } from "./queued-command.ts";
import type { RunnerDeps } from "./runner-deps.ts";

/**
 * How long a user's command waits for the process with the lease, before this process
 * tries to take the lease.
 */
const ANSWER_MILLIS = 5_000;

/** Executes a command if this process holds the campaign; null: another one does. */
export type ExecuteHere = (
  campaignId: CampaignId,
  command: QueuedCommand,
  origin: EventOrigin,
) => Promise<Outcome<null> | null>;

/** null: no answer in time. */
export async function answerFromThere(
  commandQueue: CampaignCommandQueue,
  id: string,
): Promise<Outcome<null> | null> {
  const answer = await commandQueue.awaitAnswer(id, ANSWER_MILLIS);
  if (answer === null) return null;
  const outcome = readAnswer(answer);
  if (outcome === null)
    throw new Error("The process that holds the campaign could not carry the command out");
  return outcome;
}

/** Executes commands of users of other processes on campaigns that are owned here. */
export async function answerWaiting(
  deps: RunnerDeps,
  campaignIds: readonly CampaignId[],
  executeHere: ExecuteHere,
): Promise<void> {
  if (campaignIds.length === 0) return;
  try {
    for (const command of await deps.commandQueue.waiting(campaignIds)) {
      await answerOne(deps, command, executeHere);
    }
  } catch (error) {
    deps.logger.error({ error }, "waiting commands not answered; tries again");
  }
}

/**
 * A command that is refused for good gets an answer without an outcome: it is not tried again, and
 * does not delay others.
 */
async function answerOne(
  { commandQueue, logger }: RunnerDeps,
  { id, campaignId, payload }: QueuedCampaignCommand,
  executeHere: ExecuteHere,
): Promise<void> {
  const read = readCommand(payload);
  if (read === null) return;
  try {
    const answer = await executeHere(campaignId, read.command, read.origin);
    if (answer !== null) await commandQueue.answer(id, writeAnswer(answer));
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    logger.error({ campaignId, error }, "command refused for good");
    await commandQueue.answer(id, {});
  }
}
