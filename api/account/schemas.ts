import { z } from "zod";
import { idOf, instant, isoDate, label, reference, wholeNumber } from "../../contract/fields.ts";

/** Credits are counted in ten-thousandths. */
const fourDecimals = (value: number) => Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6;

export const creditAmount = (min: number) =>
  z
    .number()
    .refine((value) => value >= min && value <= 1_000_000_000 && fourDecimals(value), {
      message: `Must be from ${min} to 1000000000, with at most four decimals`,
    })
    .meta({ minimum: min, maximum: 1_000_000_000 });

export const plan = z.object({
  maxConcurrentCalls: z.number().meta({ type: "integer" }),
  maxCallsPerSecond: z.number(),
  maxModelTokensPerDay: z.number().meta({ type: "integer" }).nullable(),
});

export const planBody = z.strictObject({
  maxConcurrentCalls: wholeNumber(1, 100_000).optional(),
  maxCallsPerSecond: z
    .number()
    .refine((value) => value >= 0.001 && value <= 100_000, { message: "Must be from 0.001 to 100000" })
    .meta({ minimum: 0.001, maximum: 100_000 })
    .optional(),
  maxModelTokensPerDay: wholeNumber(1, 1_000_000_000_000).nullable().optional(),
});

export const topUpBody = z
  .strictObject({ amount: creditAmount(0.0001), reference: label, userId: reference.optional() })
  .meta({ id: "TopUpRequest", examples: [{ amount: 100, reference: "invoice-2026-0042" }] });

const retention = z.object({ contentDays: z.number().meta({ type: "integer" }).nullable() });

export const accountBody = z
  .strictObject({ retention: z.strictObject({ contentDays: wholeNumber(1, 3_650).nullable() }) })
  .meta({ id: "AccountChanges", examples: [{ retention: { contentDays: 30 } }] });

export const account = z
  .object({
    id: idOf("usr"),
    balance: z.number(),
    reserved: z.number(),
    available: z.number(),
    currency: z.literal("credits"),
    plan,
    retention,
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
        plan: { maxConcurrentCalls: 10, maxCallsPerSecond: 10, maxModelTokensPerDay: null },
        retention: { contentDays: null },
      },
    ],
  });

export const ledgerEntry = z
  .object({
    id: z.string(),
    at: instant,
    cause: z.enum(["top_up", "reserve", "release", "charge"]),
    amount: z.number(),
    balance: z.number(),
    reserved: z.number(),
    callId: idOf("call").nullable(),
    reference: z.string().nullable(),
  })
  .meta({ id: "LedgerEntry" });

export const limits = z
  .object({
    maxConcurrentCalls: z.number().meta({ type: "integer" }),
    activeCalls: z.number().meta({ type: "integer" }),
    maxCallsPerSecond: z.number(),
    requestsPerSecond: z.number(),
  })
  .meta({
    id: "Limits",
    examples: [{ maxConcurrentCalls: 10, activeCalls: 2, maxCallsPerSecond: 10, requestsPerSecond: 1000 }],
  });

const amount = z.number().meta({ type: "integer", minimum: 0 });

export const usage = z
  .object({
    days: z.array(
      z.object({
        day: isoDate,
        calls: amount,
        talkSeconds: z.number(),
        inputTokens: amount,
        outputTokens: amount,
      }),
    ),
  })
  .meta({
    id: "Usage",
    examples: [
      {
        days: [
          { day: "2026-09-01", calls: 120, talkSeconds: 5040, inputTokens: 310_000, outputTokens: 21_000 },
        ],
      },
    ],
  });
