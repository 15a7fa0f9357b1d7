import { z } from "zod";

/** The fields of the API's answers that a drill reads. */
export const anything = z.unknown();
export const withId = z.object({ id: z.string() });
export const secret = z.object({ secret: z.string() });
export const account = z.object({ id: z.string(), balance: z.number(), reserved: z.number() });
export const limits = z.object({ activeCalls: z.number() });
export const outboundStart = z.object({ success: z.literal(true), callId: z.string(), status: z.string() });

export const campaign = z.object({
  id: z.string(),
  status: z.string(),
  totalContacts: z.number(),
  successfulCalls: z.number(),
  failedCalls: z.number(),
  pendingCalls: z.number(),
  activeCalls: z.number(),
  skippedContacts: z.number(),
  pauseReason: z.string().nullable(),
  maxRetries: z.number().nullable(),
});
export const campaignAnswer = z.object({ campaign });
export type Campaign = z.infer<typeof campaign>;

export const call = z.object({
  id: z.string(),
  status: z.string(),
  endReason: z.string().nullable(),
  to: z.string(),
  campaignId: z.string().nullable(),
  contactId: z.string().nullable(),
  attempt: z.number(),
  connectedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  cost: z.number().nullable(),
});
export type Call = z.infer<typeof call>;

export const contact = z.object({
  id: z.string(),
  phoneNumber: z.string(),
  status: z.string(),
  attempts: z.array(z.object({ attempt: z.number(), callId: z.string(), endReason: z.string().nullable() })),
});
export type Contact = z.infer<typeof contact>;

/** An entry of the do-not-call list. */
export const suppression = z.object({
  source: z.string(),
  callId: z.string().nullable(),
  reason: z.string().nullable(),
});
export type Suppression = z.infer<typeof suppression>;

export const ledgerEntry = z.object({
  cause: z.enum(["top_up", "reserve", "release", "charge"]),
  amount: z.number(),
  callId: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** `data` of the event; only the common fields are checked. */
export const historyEvent = z.object({
  stream: z.string(),
  position: z.string(),
  revision: z.number(),
  type: z.string(),
  occurredAt: z.string(),
  data: z
    .object({
      callId: z.string().optional(),
      contactId: z.string().nullish(),
      campaignId: z.string().nullish(),
      phoneNumber: z.string().optional(),
      attempt: z.number().optional(),
      endReason: z.string().optional(),
      carrierRef: z.string().nullish(),
    })
    .loose(),
});
export type HistoryEvent = z.infer<typeof historyEvent>;

/** A line of the carrier's GET /journal (docs/api.md §9). */
export const journalEntry = z.object({
  at: z.string(),
  callId: z.string(),
  to: z.string(),
  carrierCallId: z.string().nullable(),
  duplicate: z.boolean(),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** A request in the receiver's record. */
export const receivedRequest = z.object({
  at: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string(),
});
export type ReceivedRequest = z.infer<typeof receivedRequest>;
