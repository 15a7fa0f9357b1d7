import type {
  CampaignCommandQueue,
  QueuedCampaignCommand,
} from "../../application/ports/campaign-commands.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { createListeners } from "./listeners.ts";

/**
 * Commands of users on their way to the holder of the campaign's lease, within one process or
 * one simulated world.
 */
export function createMemoryCampaignCommandQueue(clock: Clock): CampaignCommandQueue {
  const commands = new Map<string, QueuedCampaignCommand>();
  const answers = new Map<string, JsonObject>();
  const enqueued = createListeners<CampaignId>();
  const answered = createListeners<string>();
  return {
    enqueue: async (command) => {
      if (commands.has(command.id)) return;
      commands.set(command.id, command);
      enqueued.tell(command.campaignId);
    },
    waiting: async (campaignIds) => {
      const wanted = new Set(campaignIds);
      return [...commands.values()].filter(
        ({ id, campaignId }) => wanted.has(campaignId) && !answers.has(id),
      );
    },
    answer: async (id, answer) => {
      if (!commands.has(id) || answers.has(id)) return;
      answers.set(id, answer);
      answered.tell(id);
    },
    awaitAnswer: async (id, timeoutMillis) => {
      const here = new AbortController();
      const unsubscribe = answered.add((which) => {
        if (which === id) here.abort();
      });
      if (!answers.has(id)) await clock.sleep(timeoutMillis, here.signal);
      unsubscribe();
      return answers.get(id) ?? null;
    },
    onEnqueued: enqueued.add,
  };
}
