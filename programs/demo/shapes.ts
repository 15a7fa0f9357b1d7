import { z } from "zod";

/** The fields of the API's answers that the demo reads. */
export const anything = z.unknown();
export const withId = z.object({ id: z.string() });
export const account = z.object({ id: z.string(), balance: z.number(), reserved: z.number() });
export const secret = z.object({ secret: z.string() });

export const statistics = z.object({
  totalContacts: z.number(),
  pendingContacts: z.number(),
  successfulCalls: z.number(),
  failedCalls: z.number(),
  averageCallDuration: z.number().nullable(),
});

const campaign = z.object({
  id: z.string(),
  status: z.string(),
  activeCalls: z.number(),
  skippedContacts: z.number(),
  timezone: z.string(),
});
export const campaignAnswer = z.object({ campaign, statistics });
export type CampaignAnswer = z.infer<typeof campaignAnswer>;

const rejected = z.object({
  count: z.number(),
  items: z.array(
    z.object({
      phoneNumber: z.string().nullable().optional(),
      reason: z.string(),
      line: z.number().optional(),
    }),
  ),
});
export const importAnswer = campaignAnswer.extend({ rejectedContacts: rejected });
export type ImportAnswer = z.infer<typeof importAnswer>;

export const contact = z.object({
  id: z.string(),
  name: z.string().nullable(),
  status: z.string(),
  attempts: z.array(z.object({ attempt: z.number(), callId: z.string(), endReason: z.string().nullable() })),
});
export type Contact = z.infer<typeof contact>;

export const call = z.object({
  id: z.string(),
  status: z.string(),
  endReason: z.string().nullable(),
  connectedAt: z.string().nullable(),
  cost: z.number().nullable(),
});
export type Call = z.infer<typeof call>;

export const historyEvent = z.object({
  type: z.string(),
  occurredAt: z.string(),
  data: z.record(z.string(), z.unknown()),
});
