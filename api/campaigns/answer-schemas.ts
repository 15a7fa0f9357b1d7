import { z } from "zod";
import { endReason } from "../calls/schemas.ts";
import { anyObject, e164, idOf, instant } from "../schema.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES } from "./schemas.ts";

const count = z.number().meta({ type: "integer", minimum: 0 });

const campaignFieldsOut = {
  id: idOf("cmp"),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  phoneNumberId: idOf("pn"),
  assistantId: idOf("ast"),
  assistantVersion: count,
  squadId: idOf("sqd").nullable(),
  userId: idOf("usr"),
  totalContacts: count,
  successfulCalls: count,
  failedCalls: count,
  pendingCalls: count,
  activeCalls: count,
  skippedContacts: count,
  maxConcurrentCalls: count.nullable(),
  effectiveMaxConcurrentCalls: count,
  maxRetries: count.nullable(),
  retryIntervalMins: count.nullable(),
  retryOn: z.array(endReason),
  timezone: z.string(),
  callWindowStart: count.nullable(),
  callWindowEnd: count.nullable(),
  startAt: instant.nullable().meta({
    description: "When it starts by itself while it is PENDING, as given; null: when it is started",
  }),
  pauseReason: z
    .enum([
      "manual",
      "phone_number_inactive",
      "assistant_unpublished",
      "outside_call_window",
      "insufficient_credits",
      "carrier_unavailable",
    ])
    .nullable(),
  nextWindowOpensAt: instant.nullable(),
  metadata: anyObject,
  createdAt: instant,
  updatedAt: instant,
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
};

const EXAMPLE_RECORD = {
  id: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5",
  name: "September reminders",
  status: "PENDING",
  phoneNumberId: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantVersion: 1,
  squadId: null,
  userId: "usr_01k4b2s9h3e8t9v0w1x2y3z4a5",
  totalContacts: 1,
  successfulCalls: 0,
  failedCalls: 0,
  pendingCalls: 1,
  activeCalls: 0,
  skippedContacts: 0,
  maxConcurrentCalls: 5,
  effectiveMaxConcurrentCalls: 5,
  maxRetries: 2,
  retryIntervalMins: null,
  retryOn: ["busy", "no_answer"],
  timezone: "Europe/Istanbul",
  callWindowStart: 9,
  callWindowEnd: 18,
  startAt: null,
  pauseReason: null,
  nextWindowOpensAt: null,
  metadata: { greetingMessage: "Hello {{name}}!" },
  createdAt: "2026-09-01T10:00:00.000Z",
  updatedAt: "2026-09-01T10:00:00.000Z",
  startedAt: null,
  completedAt: null,
};

export const campaign = z.object(campaignFieldsOut).meta({ id: "Campaign", examples: [EXAMPLE_RECORD] });

export const statistics = z
  .object({
    totalContacts: count,
    pendingContacts: count,
    successfulCalls: count,
    failedCalls: count,
    waitingRetry: count,
    averageCallDuration: z.number().nullable(),
  })
  .meta({
    id: "CampaignStatistics",
    examples: [
      {
        totalContacts: 1,
        pendingContacts: 1,
        successfulCalls: 0,
        failedCalls: 0,
        waitingRetry: 0,
        averageCallDuration: null,
      },
    ],
  });

/** A list in one page, however many they are. */
export const pausedCampaigns = z
  .object({
    success: z.literal(true),
    data: z.array(campaign).meta({ description: "The campaigns that were paused, newest first" }),
    pagination: z.object({
      limit: count.meta({ description: "Campaigns in the answer: all of them" }),
      nextCursor: z.null(),
    }),
  })
  .meta({ id: "PausedCampaigns" });

export const campaignWithStatistics = z.object({ campaign, statistics });

const rejectedContacts = z.object({
  count,
  items: z.array(
    z.object({
      index: count,
      phoneNumber: z.string().nullable(),
      reason: z.string(),
      line: count.optional(),
    }),
  ),
});
const duplicateContacts = z.object({
  count,
  items: z.array(z.object({ index: count, phoneNumber: z.string() })),
});

export const campaignWithReport = z
  .object({ campaign, statistics, rejectedContacts, duplicateContacts })
  .meta({ id: "CampaignReport" });

/** Repeats in it are told, too; the same rules and the same report. */
export const addedContacts = z
  .object({ campaign, statistics, rejectedContacts })
  .meta({ id: "ContactsAdded" });

export const importReport = z
  .object({ totalContacts: count, rejectedContacts, duplicateContacts })
  .meta({ id: "CampaignImportReport" });

export const contact = z
  .object({
    id: idOf("ctc"),
    phoneNumber: e164,
    name: z.string().nullable(),
    customData: anyObject,
    timezone: z.string().nullable(),
    externalId: z.string().nullable(),
    status: z.enum(CONTACT_STATUSES),
    attempts: z.array(
      z.object({
        attempt: count,
        callId: idOf("call"),
        startedAt: instant,
        endedAt: instant.nullable(),
        status: z.enum(["initiating", "ringing", "connected", "in_progress", "completed", "failed"]),
        endReason: endReason.nullable(),
      }),
    ),
    nextAttemptAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: "Contact" });
