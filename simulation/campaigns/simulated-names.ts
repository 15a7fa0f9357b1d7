import type { AssistantId, CampaignId, OwnerId, PhoneNumberId } from "../../domain/shared/ids.ts";

/** The only owner of the simulated world, and its records. */
export const OWNER: OwnerId = "usr_sim";
export const PHONE_NUMBER: PhoneNumberId = "pn_sim";
export const ASSISTANT: AssistantId = "ast_sim";
/** Those that a campaign is changed to. */
export const OTHER_NUMBER: PhoneNumberId = "pn_other";
export const OTHER_ASSISTANT: AssistantId = "ast_other";
export const CAMPAIGN: CampaignId = "cmp_sim";
/** Calls some of the same numbers. */
export const SECOND_CAMPAIGN: CampaignId = "cmp_second";
