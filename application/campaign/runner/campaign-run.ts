import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { AdmissionRefusal } from "../../ports/admission.ts";
import type { CallStarts } from "./call-starts.ts";
import type { CallOwners } from "./runner-deps.ts";

/** What one owned campaign keeps in memory beside its folded state. */
export type CampaignRun = {
  readonly campaignId: CampaignId;
  readonly owner: OwnerId;
  readonly stop: AbortSignal;
  readonly starts: CallStarts;
  readonly callOwners: CallOwners;
  /** Live calls whose end was asked for by a cancel. */
  readonly hungUp: Set<CallId>;
  readonly wake: () => void;
  /** Why the last question for slots was not granted whole; null: it was, or there was nobody to ask for. */
  refusal: AdmissionRefusal;
  /** Since when somebody has been due without a break, as far as this process has seen; null: nobody is. */
  dueSince: Instant | null;
  /** Since when the longest waiting of them is due. */
  oldestDueSince: Instant | null;
};
