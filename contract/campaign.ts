import { z } from "zod";
import type { CampaignStatus, PauseReason } from "../domain/campaign/events.ts";
import { WAITED_FOR } from "../domain/campaign/progress.ts";
import { WARNING_CODES } from "../domain/campaign/warnings/warning.ts";
import { endReason } from "./call.ts";
import { EXAMPLE_SHOWN, shownSettings } from "./campaign-settings.ts";
import {
  answer,
  anyObject,
  asItStoodAt,
  assistantId,
  count,
  createdAt,
  type DeepReadonly,
  idOf,
  instant,
  list,
  pageFields,
  phoneNumberId,
  squadIdOrNull,
  updatedAt,
  userId,
} from "./fields.ts";
import { historyEvent } from "./history.ts";
import { routes } from "./route.ts";

const CAMPAIGN_STATUSES = [
  "PENDING",
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "CANCELLED",
] as const satisfies readonly CampaignStatus[];

const PAUSE_REASONS = [
  "manual",
  "phone_number_inactive",
  "assistant_unpublished",
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
  "policy_refuses_all",
  "list_outdated",
  "eligibility_unavailable",
] as const satisfies readonly PauseReason[];

// Counts of a campaign, in its record and in its statistics.
const totalContacts = count.describe("Number of contacts that were accepted");
const successfulCalls = count.describe("Number of contacts that were reached");
const failedCalls = count.describe("Number of contacts given up: no attempt is left, or none would help");

const { name, maxConcurrentCalls, ...settings } = shownSettings;

export const campaignRecord = z
  .object({
    id: idOf("cmp").describe("Id of the campaign"),
    name,
    status: z.enum(CAMPAIGN_STATUSES).describe("What the campaign does now"),
    phoneNumberId,
    assistantId,
    assistantVersion: count.describe("Version of the assistant that talks, counted from 1"),
    squadId: squadIdOrNull,
    userId,
    totalContacts,
    successfulCalls,
    failedCalls,
    pendingCalls: count.describe(
      "Number of contacts still to be called, those that wait for a retry among them",
    ),
    activeCalls: count.describe("Number of contacts that are in a call now"),
    skippedContacts: count.describe("Number of contacts that were never called and never will be"),
    maxConcurrentCalls,
    effectiveMaxConcurrentCalls: count.describe(
      "Number of calls at once after the plan is taken into account",
    ),
    ...settings,
    pauseReason: z.enum(PAUSE_REASONS).nullable().describe("Why it is PAUSED; null: it is not"),
    nextWindowOpensAt: instant
      .nullable()
      .describe("When the next call window opens; ISO 8601, UTC; null: it is open, or unknown"),
    metadata: anyObject.describe("What the creation was given, with greetingMessage and specialInstructions"),
    createdAt,
    updatedAt,
    startedAt: instant.nullable().describe("When it was started; ISO 8601, UTC; null: not yet"),
    completedAt: instant.nullable().describe("When it was COMPLETED; ISO 8601, UTC; null: not yet"),
  })
  .meta({
    id: "Campaign",
    examples: [
      {
        id: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5",
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
        ...EXAMPLE_SHOWN,
        effectiveMaxConcurrentCalls: 5,
        pauseReason: null,
        nextWindowOpensAt: null,
        metadata: { greetingMessage: "Hello {{name}}!" },
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
        startedAt: null,
        completedAt: null,
      },
    ],
  });

/** `metadata` has greetingMessage and specialInstructions; the caller's own keys win. */
export type CampaignRecord = DeepReadonly<z.infer<typeof campaignRecord>>;

/** The seed's statistics, with further figures from the campaign's own events. */
export const campaignStatistics = z
  .object({
    totalContacts,
    pendingContacts: count.describe("Number of contacts still to be called"),
    successfulCalls,
    failedCalls,
    waitingRetry: count.describe("Number of pendingContacts that wait for a retry or a callback"),
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
    callbacks: count.describe("Number of waitingRetry that wait for a callback, which they agreed on a call"),
    optedOut: count.describe("Number of contacts that asked on a call never to be called again"),
    held: count
      .optional()
      .describe("Number of pendingContacts that the owner's policy holds at that moment; not in webhooks"),
    outcomes: z
      .object({
        analysed: count.describe("Number of contacts with an analysed call"),
        succeeded: count.describe("Number of them whose call succeeded, as the assistant says"),
        unsuccessful: count.describe("Number of them whose call did not"),
        byField: z
          .record(z.string(), z.record(z.string(), count))
          .describe("Number of contacts by field (boolean or enum) and value; only values that occurred"),
      })
      .nullable()
      .optional()
      .describe(
        "What calls brought home, of each contact its latest analysis; null: being counted anew; not in webhooks",
      ),
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
        callbacks: 0,
        optedOut: 0,
        held: 0,
        outcomes: { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} },
      },
    ],
  });

export type CampaignStatisticsRecord = DeepReadonly<z.infer<typeof campaignStatistics>>;

const progress = z
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
        "What keeps the campaign from dialling, the first that holds: window (closed for everybody who is due), policy (holds everybody who is due), credits, carrier, assistant, capacity (of all processes for conversations), slots (of the plan or the campaign, or another campaign's turn), pace; null: nothing",
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

const credits = z.number().optional();

/** A probable mistake of the user. */
const warning = z
  .object({
    code: z.enum(WARNING_CODES).describe("What it warns of, for a program"),
    message: z.string().describe("The same in words, for a person"),
    count: count.optional().describe("Number of contacts that it is about"),
    path: z.array(z.string()).optional().describe("Where it arises in the request that made the campaign"),
    keys: z
      .array(
        z.object({
          name: z.string().describe("Key of the placeholder"),
          count: count.describe("Number of contacts without a value for it"),
        }),
      )
      .optional()
      .describe("With placeholder_unfilled: the first five placeholders that are not filled"),
    needed: credits.describe("With credits_short: credits for a minute with each contact"),
    available: credits.describe("With credits_short: credits of the account that are not reserved"),
  })
  .meta({
    id: "CampaignWarning",
    description: "Never a refusal; judged over the accepted contacts",
    examples: [{ code: "retries_declined", message: "retryOn is not given", path: ["retryOn"] }],
  });
export const warnings = z
  .array(warning)
  .describe("At most one of each code, sorted by code; empty when there are none");

/** Of an answer about one campaign. */
export const wholeCampaign = {
  campaign: campaignRecord.describe("The campaign as it stands now"),
  statistics: campaignStatistics.describe("How far the campaign has come"),
};

export type WholeCampaign = DeepReadonly<z.infer<z.ZodObject<typeof wholeCampaign>>>;

/** The answer of most operations on one campaign. */
export const campaignAnswers = { 200: answer(z.object(wholeCampaign)) };

const campaignsQuery = z.object({
  status: z.enum(CAMPAIGN_STATUSES).optional().describe("Only those with this status"),
  ...pageFields,
});

const errors = ["CAMPAIGN_NOT_FOUND"] as const;

export const campaignRoutes = routes({
  listCampaigns: {
    method: "GET",
    path: "/api/v1/campaigns",
    tag: "campaigns",
    summary: "Campaigns, newest first",
    scope: "campaigns:read",
    query: campaignsQuery,
    answers: { 200: list(campaignRecord) },
  },
  getCampaign: {
    method: "GET",
    path: "/api/v1/campaigns/:id",
    tag: "campaigns",
    summary: "A campaign with its statistics, now or as it stood",
    scope: "campaigns:read",
    query: z.object({ at: asItStoodAt }),
    answers: campaignAnswers,
    errors,
  },
  getCampaignStatistics: {
    method: "GET",
    path: "/api/v1/campaigns/:id/statistics",
    tag: "campaigns",
    summary: "Its statistics, now or as they stood",
    scope: "campaigns:read",
    query: z.object({ at: asItStoodAt }),
    answers: { 200: answer(campaignStatistics) },
    errors,
  },
  getCampaignProgress: {
    method: "GET",
    path: "/api/v1/campaigns/:id/progress",
    tag: "campaigns",
    summary: "What a campaign waits for now, and when it may be done",
    description: "Of now alone: a query with `at` is refused, because what a campaign waits for is no event.",
    scope: "campaigns:read",
    answers: { 200: answer(progress) },
    errors: ["CAMPAIGN_NOT_FOUND", "VALIDATION_ERROR"],
  },
  listCampaignEvents: {
    method: "GET",
    path: "/api/v1/campaigns/:id/events",
    tag: "campaigns",
    summary: "The audit log of a campaign, oldest first",
    scope: "campaigns:read",
    query: z.object(pageFields),
    answers: { 200: list(historyEvent) },
    errors,
  },
});
