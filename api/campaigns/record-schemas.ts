import { z } from "zod";
import { endReason } from "../../contract/call.ts";
import { anyObject, e164, idOf, instant } from "../../contract/fields.ts";
import { WAITED_FOR } from "../../domain/campaign/progress.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES } from "./schemas.ts";

export const count = z.number().meta({ type: "integer", minimum: 0 });

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
