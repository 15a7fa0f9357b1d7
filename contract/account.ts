import { z } from "zod";
import {
  answer,
  count,
  type DeepReadonly,
  idOf,
  instant,
  instantInput,
  isoDate,
  label,
  list,
  pageFields,
  reference,
  userId,
  wholeNumber,
} from "./fields.ts";
import { routes } from "./route.ts";

/** Credits are counted in ten-thousandths. */
const fourDecimals = (value: number) => Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6;

export const creditAmount = (min: number) =>
  z
    .number()
    .refine((value) => value >= min && value <= 1_000_000_000 && fourDecimals(value), {
      message: `Must be from ${min} to 1000000000, with at most four decimals`,
    })
    .meta({ minimum: min, maximum: 1_000_000_000 });

const PLAN = "What this owner may do at once";
const CALLS_AT_ONCE = "Number of calls at once";
const CALLS_A_SECOND = "New calls a second";
const TOKENS_A_DAY = "Number of tokens that language models may read and write on a UTC day; null: no limit";

export const plan = z
  .object({
    maxConcurrentCalls: z.number().meta({ type: "integer" }).describe(CALLS_AT_ONCE),
    maxCallsPerSecond: z.number().describe(CALLS_A_SECOND),
    maxModelTokensPerDay: z.number().meta({ type: "integer" }).nullable().describe(TOKENS_A_DAY),
    source: z
      .enum(["default", "operator"])
      .describe(
        "default: calls at once and calls a second are what PLAN_MAX_CONCURRENT_CALLS and PLAN_MAX_CALLS_PER_SECOND say at each start; operator: an operator gave this owner a plan, and it stays",
      ),
  })
  .describe(PLAN);
export type PlanRecord = DeepReadonly<z.infer<typeof plan>>;

/** What a plan allows. */
export type PlanLimits = Omit<PlanRecord, "source">;

export const planBody = z
  .strictObject({
    maxConcurrentCalls: wholeNumber(1, 100_000).optional().describe(CALLS_AT_ONCE),
    maxCallsPerSecond: z
      .number()
      .refine((value) => value >= 0.001 && value <= 100_000, { message: "Must be from 0.001 to 100000" })
      .meta({ minimum: 0.001, maximum: 100_000 })
      .optional()
      .describe(CALLS_A_SECOND),
    maxModelTokensPerDay: wholeNumber(1, 1_000_000_000_000).nullable().optional().describe(TOKENS_A_DAY),
  })
  .optional()
  .describe(PLAN);

const topUpBody = z
  .strictObject({
    amount: creditAmount(0.0001).describe("Credits to add, with at most 4 decimals"),
    reference: label.describe("Your name for this top-up; the same one again adds nothing"),
    userId: reference.optional().describe("Id of the owner that gets them; left out: your own"),
  })
  .meta({ id: "TopUpRequest", examples: [{ amount: 100, reference: "invoice-2026-0042" }] });

const RETENTION = "For how long what is said on calls, and recordings, are kept";
const CONTENT_DAYS = "Number of days from a call's end, 1 to 3650; null: for ever";

const accountBody = z
  .strictObject({
    retention: z
      .strictObject({ contentDays: wholeNumber(1, 3_650).nullable().describe(CONTENT_DAYS) })
      .describe(RETENTION),
  })
  .meta({ id: "AccountChanges", examples: [{ retention: { contentDays: 30 } }] });

/** Amounts are credits. */
const account = z
  .object({
    id: userId,
    balance: z.number().describe("Credits, with 4 decimals; below 0 when calls ran on"),
    reserved: z.number().describe("Credits held for calls that have not ended"),
    available: z.number().describe("Credits that new calls can use: balance less reserved"),
    currency: z.literal("credits").describe("Always `credits`"),
    plan,
    defaultModel: z
      .string()
      .describe(
        "Name of the language model that assistants without a connection of their own speak with (LLM_MODEL); scripted: LLM_BASE_URL is not set, and a model speaks that follows simple rules",
      ),
    retention: z
      .object({ contentDays: z.number().meta({ type: "integer" }).nullable().describe(CONTENT_DAYS) })
      .describe(RETENTION),
  })
  .meta({
    id: "Account",
    examples: [
      {
        id: "usr_01k4b2s9h3e8t9v0w1x2y3z4a5",
        balance: 1000,
        reserved: 2,
        available: 998,
        currency: "credits",
        plan: {
          maxConcurrentCalls: 10,
          maxCallsPerSecond: 10,
          maxModelTokensPerDay: null,
          source: "default",
        },
        defaultModel: "scripted",
        retention: { contentDays: null },
      },
    ],
  });
export type AccountRecord = DeepReadonly<z.infer<typeof account>>;

/** Amounts are credits. */
const ledgerEntry = z
  .object({
    id: z.string().describe("Id of the entry"),
    at: instant.describe("When it was written; ISO 8601, UTC"),
    cause: z
      .enum(["top_up", "reserve", "release", "charge"])
      .describe("What moved: top_up and charge the balance, reserve and release what is held"),
    amount: z.number().describe("Credits that moved, above 0"),
    balance: z.number().describe("Credits after it"),
    reserved: z.number().describe("Credits held after it"),
    callId: idOf("call").nullable().describe("Id of the call that it is for; null: none"),
    reference: z.string().nullable().describe("The name that the top-up was given; null: not a top-up"),
  })
  .meta({ id: "LedgerEntry" });
export type LedgerRecord = DeepReadonly<z.infer<typeof ledgerEntry>>;

const limits = z
  .object({
    maxConcurrentCalls: z.number().meta({ type: "integer" }).describe(CALLS_AT_ONCE),
    activeCalls: z.number().meta({ type: "integer" }).describe("Number of calls that have not ended"),
    maxCallsPerSecond: z.number().describe(CALLS_A_SECOND),
    requestsPerSecond: z.number().describe("Requests a second that one key may send; 0: no limit"),
  })
  .meta({
    id: "Limits",
    examples: [{ maxConcurrentCalls: 10, activeCalls: 2, maxCallsPerSecond: 10, requestsPerSecond: 1000 }],
  });
export type LimitsRecord = DeepReadonly<z.infer<typeof limits>>;

/** The calls of an owner that were created on one UTC day. */
const usageDay = z.object({
  day: isoDate.describe("The UTC day on which the calls were created"),
  calls: count.describe("Number of calls, answered or not"),
  talkSeconds: z.number().describe("Seconds from answer to end, of all calls that have ended"),
  inputTokens: count.describe("Number of tokens that language models read"),
  outputTokens: count.describe("Number of tokens that language models wrote"),
  rehearsalTokens: count.describe(
    "Number of tokens that language models read and wrote in rehearsals on this day, not counted in the other two",
  ),
});
export type UsageDay = DeepReadonly<z.infer<typeof usageDay>>;

const usage = z
  .object({
    days: z.array(usageDay).describe("A row for each day, oldest first, also for days without a call"),
  })
  .meta({
    id: "Usage",
    examples: [
      {
        days: [
          {
            day: "2026-09-01",
            calls: 120,
            talkSeconds: 5040,
            inputTokens: 310_000,
            outputTokens: 21_000,
            rehearsalTokens: 4_500,
          },
        ],
      },
    ],
  });

const usageQuery = z.object({
  from: instantInput.optional().describe("From the day of this time: ISO 8601 with offset"),
  until: instantInput
    .optional()
    .describe("To the day of this time; the time itself is excluded: ISO 8601 with offset"),
});

export const accountRoutes = routes({
  getAccount: {
    method: "GET",
    path: "/api/v1/account",
    tag: "account",
    summary: "Balance, reservations and plan",
    scope: "account:read",
    answers: { 200: answer(account) },
  },
  changeAccount: {
    method: "PATCH",
    path: "/api/v1/account",
    tag: "account",
    summary: "Changes for how long what is said on calls is kept",
    scope: "admin",
    body: accountBody,
    answers: { 200: answer(account) },
  },
  topUp: {
    method: "POST",
    path: "/api/v1/account/credits",
    tag: "account",
    summary: "Adds credits, once for each reference",
    scope: "operator",
    body: topUpBody,
    answers: { 200: answer(account) },
    errors: ["USER_NOT_FOUND@400"],
  },
  listLedger: {
    method: "GET",
    path: "/api/v1/account/ledger",
    tag: "account",
    summary: "Every movement of credits, newest first",
    scope: "account:read",
    query: z.object(pageFields),
    answers: { 200: list(ledgerEntry) },
  },
  getUsage: {
    method: "GET",
    path: "/api/v1/account/usage",
    tag: "account",
    summary: "Calls, talk and tokens of each UTC day, oldest first",
    description:
      "Every UTC day that `from` (inclusive) to `until` (exclusive) touches, 366 at the most; left out: the last 30, today included. " +
      "A call counts on the day on which it was created, with all its talk and tokens.",
    scope: "account:read",
    query: usageQuery,
    answers: { 200: answer(usage) },
  },
  getLimits: {
    method: "GET",
    path: "/api/v1/limits",
    tag: "account",
    summary: "What this owner may do at once",
    scope: "account:read",
    answers: { 200: answer(limits) },
  },
});
