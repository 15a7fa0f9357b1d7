import { z } from "zod";
import { WAITED_FOR } from "../../domain/campaign/progress.ts";
import { WARNING_CODES } from "../../domain/campaign/warning.ts";
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
  callWindowStartMinute: count,
  callWindowEndMinute: count,
  callWindowDays: z.array(count).nullable().meta({ description: "ISO weekdays in order, null: every day" }),
  callWindowExcludedDates: z.array(z.string().meta({ format: "date" })),
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
      "assistant_unavailable",
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
  callWindowStartMinute: 0,
  callWindowEndMinute: 30,
  callWindowDays: [1, 2, 3, 4, 5],
  callWindowExcludedDates: ["2026-12-25"],
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
    waitingRetry: count.describe("Number of pendingContacts that wait for a retry"),
    attempts: count.describe(
      "Number of dials so far: activeCalls of the campaign and the sum of byEndReason",
    ),
    byEndReason: z
      .partialRecord(endReason, count)
      .describe("Ended attempts by how they ended, not_placed too; only reasons that occurred"),
    talkSeconds: z
      .number()
      .min(0)
      .describe("Seconds from answer to end of all ended attempts, also of those that failed"),
    cost: z
      .number()
      .min(0)
      .nullable()
      .describe(
        "Credits, 4 decimals, of all ended attempts; null when one of them is older than the telling of its cost",
      ),
    averageCallDuration: z
      .number()
      .nullable()
      .describe("Mean seconds of the completed calls; null while there is none"),
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
        attempts: 0,
        byEndReason: {},
        talkSeconds: 0,
        cost: 0,
        averageCallDuration: null,
      },
    ],
  });

export const progress = z
  .object({
    asOf: instant
      .nullable()
      .describe(
        "When the process that runs the campaign reported this; null with all other fields when that is more than 5 s ago, or nobody runs it",
      ),
    dueNow: count
      .nullable()
      .describe("Contacts that could be dialled now if slots, pace, credits and carrier allowed it"),
    waitingFor: z
      .enum(WAITED_FOR)
      .nullable()
      .describe(
        "What keeps the campaign from dialling, the first that holds: window (closed for everybody who is due), credits, carrier, assistant, capacity (of all processes for conversations), slots (of the plan or the campaign, or another campaign's turn), pace; null: nothing",
      ),
    estimatedEndAt: instant
      .nullable()
      .describe(
        "When the last contact will be done with at the pace of the last five minutes of calling, in the hours in which the window of the campaign's own zone is open; null while fewer than 5 s of calling are known, and while it waits for credits or the carrier",
      ),
  })
  .meta({
    id: "CampaignProgress",
    examples: [
      {
        asOf: "2026-09-01T10:00:00.000Z",
        dueNow: 4_210,
        waitingFor: "slots",
        estimatedEndAt: "2026-09-01T11:32:10.000Z",
      },
    ],
  });
/** A list in one page, however many they are. */
export const pausedCampaigns = z
  .object({
    success: z.literal(true),
    data: z.array(campaign).meta({ description: "The campaigns that were paused, newest first" }),
    pagination: z.object({
      limit: count.meta({ description: "Number of campaigns in the answer: all of them" }),
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

const normalized = z
  .object({
    count,
    items: z.array(
      z.object({
        line: count.meta({ description: "Line of the file, counted from 1" }),
        from: z.string().meta({ description: "As it stands in the file" }),
        to: e164,
      }),
    ),
  })
  .meta({ description: "Accepted numbers that stood otherwise in the file; the first 100 are named" });

const credits = z.number().optional();

/** What is probably not what somebody wanted. */
const warning = z
  .object({
    code: z.enum(WARNING_CODES),
    message: z.string(),
    count: count.optional().meta({ description: "Number of contacts that it is about" }),
    path: z
      .array(z.string())
      .optional()
      .meta({ description: "Where it arises in the request that made the campaign" }),
    needed: credits.meta({ description: "With credits_short: credits for a minute with each contact" }),
    available: credits.meta({
      description: "With credits_short: credits of the account that are not reserved",
    }),
  })
  .meta({
    id: "CampaignWarning",
    description: "Never a refusal; judged over the accepted contacts",
    examples: [{ code: "retries_declined", message: "retryOn is not given", path: ["retryOn"] }],
  });
export const warnings = z
  .array(warning)
  .meta({ description: "At most one of each code, sorted by code; empty when there are none" });

const report = { campaign, statistics, rejectedContacts, duplicateContacts };

export const campaignWithReport = z.object({ ...report, warnings }).meta({ id: "CampaignReport" });

export const importedCampaign = z
  .object({ ...report, normalized, warnings })
  .meta({ id: "CampaignImportAnswer" });

export const startedCampaign = z
  .object({ campaign, statistics, warnings })
  .meta({ id: "CampaignStartAnswer" });

const renderedText = z.string().nullable();

export const preview = z
  .object({
    items: z.array(
      z.object({
        greetingMessage: renderedText.meta({
          description: "As it would be said; null: neither a greeting nor an assistant was given",
        }),
        specialInstructions: renderedText.meta({ description: "null: none were given" }),
        reason: z
          .enum(["text_too_long"])
          .optional()
          .meta({ description: "Both texts are null: the contact would be rejected for this" }),
      }),
    ),
    warnings,
  })
  .meta({ id: "CampaignPreview" });

/** Repeats in it are told, too; the same rules and the same report. */
export const addedContacts = z
  .object({ campaign, statistics, rejectedContacts, warnings })
  .meta({ id: "ContactsAdded" });

export const importReport = z
  .object({ totalContacts: count, rejectedContacts, duplicateContacts, normalized, warnings })
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
        durationSeconds: z
          .number()
          .nullable()
          .describe("Seconds from answer to end; null before the end, and when nobody answered"),
        cost: z
          .number()
          .nullable()
          .describe(
            "Credits, 4 decimals; null before the end, and when the attempt is older than the telling of its cost",
          ),
      }),
    ),
    nextAttemptAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: "Contact" });
