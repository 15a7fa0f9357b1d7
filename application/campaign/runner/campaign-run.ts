import type { AdmissionRefusal } from "../../../domain/admission/requests.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { CallStarts } from "./call-starts.ts";
import type { LeftOut } from "./policy-holds.ts";
import type { Questions } from "./questions.ts";
import type { CallOwners } from "./runner-deps.ts";

/** What is kept in memory for an owned campaign, beside its folded state. */
export type CampaignRun = {
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  readonly stop: AbortSignal;
  readonly starts: CallStarts;
  readonly callOwners: CallOwners;
  /** Live calls whose end a cancel has requested. */
  readonly hungUp: Set<CallId>;
  readonly wake: () => void;
  /** Why the last request for slots was not granted completely; null: it was, or there was none. */
  refusal: AdmissionRefusal;
  /** Its last batch met somebody on the do-not-call list, which is then also read before slots are taken. */
  metSuppressed: boolean;
  /** Its last batch was refused whole by the policy, so more are judged at once. */
  metPolicy: boolean;
  readonly leftOut: LeftOut;
  readonly questions: Questions;
  /** Its address is silent, and all who would be called are on a list: they are skipped first. */
  onlyListed: boolean;
  /** Of the policy at its last step; 0: none. */
  policyVersion: number;
  /**
   * Since when there has been a due contact without a break, as far as this process knows; null: none is due.
   */
  dueSince: Instant | null;
  /** Due time of the contact that has waited longest. */
  oldestDueSince: Instant | null;
};
