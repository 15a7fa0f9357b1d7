import { z } from "zod";
import { campaignAnswers as answers, campaignRecord, warnings, wholeCampaign } from "./campaign.ts";
import { changeCampaignBody } from "./campaign-settings.ts";
import { CONSENT, consentInput } from "./consent.ts";
import {
  answer,
  count,
  deletedRecord,
  NEXT_CURSOR,
  noBody,
  PAGE_END,
  phoneNumber,
  reference,
  success,
} from "./fields.ts";
import { CALL_REFUSALS, callStarted } from "./outbound-call.ts";
import { routes } from "./route.ts";

const startedCampaign = z.object({ ...wholeCampaign, warnings }).meta({ id: "CampaignStartAnswer" });

const changedCampaign = z
  .object({ ...wholeCampaign, warnings: warnings.describe("Judged over all contacts, after the change") })
  .meta({ id: "CampaignChangeAnswer" });

/** A list without paging, however long. */
const pausedCampaigns = z
  .object({
    success,
    data: z.array(campaignRecord).describe("The campaigns that were paused, newest first"),
    pagination: z
      .object({
        limit: count.describe("Number of campaigns in the answer: all of them"),
        nextCursor: z.null().describe(NEXT_CURSOR),
      })
      .describe(PAGE_END),
  })
  .meta({ id: "PausedCampaigns" });

const cancelBody = z
  .strictObject({
    hangUpActiveCalls: z.boolean().optional().describe("true: live calls are ended as well (default false)"),
  })
  .nullish()
  .meta({ examples: [{ hangUpActiveCalls: true }] });

const testCallBody = z
  .strictObject({
    to: phoneNumber.describe("Who is called, in E.164 format"),
    contactId: reference
      .optional()
      .describe("The contact whose values fill the texts; left out: the first one"),
    consent: consentInput.nullish().describe(CONSENT),
  })
  .meta({ id: "TestCallRequest", examples: [{ to: "+905321112233" }] });

const errors = ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_INVALID_STATE"] as const;

export const campaignCommandRoutes = routes({
  startCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/:id/start",
    tag: "campaigns",
    summary: "Begins to call",
    scope: "campaigns:write",
    body: noBody,
    answers: { 200: answer(startedCampaign) },
    errors: [...errors, "INSUFFICIENT_CREDITS"],
  },
  pauseCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/:id/pause",
    tag: "campaigns",
    summary: "Nobody is dialled after the answer",
    scope: "campaigns:write",
    body: noBody,
    answers,
    errors,
  },
  resumeCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/:id/resume",
    tag: "campaigns",
    summary: "Goes on after a pause",
    scope: "campaigns:write",
    body: noBody,
    answers,
    errors,
  },
  cancelCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/:id/cancel",
    tag: "campaigns",
    summary: "Ends the campaign; live calls finish unless they are hung up",
    scope: "campaigns:write",
    body: cancelBody,
    answers,
    errors,
  },
  deleteCampaign: {
    method: "DELETE",
    path: "/api/v1/campaigns/:id",
    tag: "campaigns",
    summary: "Deletes a campaign that has not begun, with its contacts",
    description:
      "Only while it is PENDING; later it is cancelled. It is gone from every list, search and record, also for times before. That it was made and " +
      "deleted stays in the events of its owner, without its contacts. No webhook tells of it.",
    scope: "campaigns:write",
    answers: { 200: answer(deletedRecord("cmp")) },
    errors,
  },
  changeCampaign: {
    method: "PATCH",
    path: "/api/v1/campaigns/:id",
    tag: "campaigns",
    summary: "Changes settings, texts, assistant and number while PENDING or PAUSED",
    description:
      "Attempts so far keep what they were made with. An assistant or number that cannot be used, or a text that becomes too long for a contact " +
      "that may still be called, is refused as in a new campaign, and then nothing changes.",
    scope: "campaigns:write",
    body: changeCampaignBody,
    answers: { 200: answer(changedCampaign) },
    errors: [
      ...errors,
      "ASSISTANT_NOT_FOUND@400",
      "ASSISTANT_NOT_PUBLISHED",
      "PHONE_NUMBER_NOT_FOUND@400",
      "SQUAD_NOT_FOUND@400",
    ],
  },
  pauseAllCampaigns: {
    method: "POST",
    path: "/api/v1/campaigns/pause-all",
    tag: "campaigns",
    summary: "Pauses everything that calls somebody",
    description:
      "Pauses every campaign that is RUNNING, and every one that is PAUSED for an automatic reason: each becomes PAUSED with " +
      "pauseReason manual, and only resume ends that. Nobody is dialled after the answer; live calls go on. Campaigns that are PENDING stay so, " +
      "also those with a startAt. READ_MODEL_BEHIND: what was known is paused, ask again.",
    scope: "campaigns:write",
    body: noBody,
    answers: { 200: pausedCampaigns },
    errors: ["READ_MODEL_BEHIND"],
  },
  testCampaignCall: {
    method: "POST",
    path: "/api/v1/campaigns/:id/test-call",
    tag: "campaigns",
    summary: "Calls somebody to hear what the campaign says",
    description:
      "A single call with the campaign's own assistant, number and texts, filled for the contact that is named, or for the first one. It is billed " +
      "as a single call; it is no attempt of the campaign and not in its counts. It is refused as the outbound start is, in the usual shape of errors.",
    scope: "campaigns:write",
    body: testCallBody,
    answers: { 200: answer(callStarted) },
    idempotent: true,
    errors: [
      "CAMPAIGN_NOT_FOUND",
      "CONTACT_NOT_FOUND@400",
      "ASSISTANT_NOT_FOUND@400",
      "ASSISTANT_NOT_PUBLISHED",
      "PHONE_NUMBER_NOT_FOUND@400",
      ...CALL_REFUSALS,
    ],
  },
});
