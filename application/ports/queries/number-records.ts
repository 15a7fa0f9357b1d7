import type { Explanation } from "../../../contract/campaign-story.ts";
import type { ContactStatus } from "../../../domain/campaign/events.ts";
import type { CampaignId, ContactId } from "../../../domain/shared/ids.ts";

export type NumberContact = {
  readonly campaignId: CampaignId;
  readonly contactId: ContactId;
  readonly name: string | null;
  readonly status: ContactStatus;
};

/** A number that an import refused has no contact. */
export type NumberVerdict = Omit<Explanation, "contactId"> & { readonly contactId: ContactId | null };

/** Newest first, at most NUMBER_ROWS each. */
export type NumberHistory = {
  readonly contacts: readonly NumberContact[];
  readonly verdicts: readonly NumberVerdict[];
};

export const NUMBER_ROWS = 200;
