import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

/** A user's command on a campaign, on its way to the process that holds the campaign's lease. */
export type QueuedCampaignCommand = {
  readonly id: string;
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  /** Serialised command and actor; application/campaign/runner/queued-command.ts parses it. */
  readonly payload: JsonObject;
};

/** Rows of work.campaign_commands with a NOTIFY; in memory when there is only one process. */
export interface CampaignCommandQueue {
  enqueue(command: QueuedCampaignCommand): Promise<void>;
  /** Unanswered commands of these campaigns, in order; each is returned again until it is answered. */
  waiting(campaignIds: readonly CampaignId[]): Promise<readonly QueuedCampaignCommand[]>;
  /** Once for each id; the first answer counts. */
  answer(id: string, answer: JsonObject): Promise<void>;
  /** The answer, or null after `timeoutMillis`. */
  awaitAnswer(id: string, timeoutMillis: number): Promise<JsonObject | null>;
  onEnqueued(listener: (campaignId: CampaignId) => void): () => void;
}
