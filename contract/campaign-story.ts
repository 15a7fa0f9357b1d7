import { z } from "zod";
import { HOLD_RULES, holdFields } from "./contact.ts";
import {
  answer,
  asItStoodAt,
  callIdOrNull,
  campaignId,
  contactId,
  count,
  type DeepReadonly,
  instant,
} from "./fields.ts";
import { routes } from "./route.ts";

const whole = z.number().meta({ type: "integer" });
const column = (description: string) => z.array(whole).describe(description);

const campaignStory = z
  .object({
    position: z.string().describe("Of the last event; the feed goes on behind it"),
    startsAt: instant.describe("When the first event happened"),
    contacts: count.describe("Number of contacts there are by the last event"),
    kinds: z.array(z.string()).describe("Types of events, to which `kind` points"),
    reasons: z.array(z.string()).describe("Texts to which `reason` points"),
    columns: z
      .object({
        at: column("Milliseconds after the row before; of the first row after startsAt"),
        kind: column("Place in `kinds`"),
        contact: column("The contact's place in the order of import, from 0; -1: none"),
        reason: column(
          "Place in `reasons`; -1: none. endReason of an attempt, pauseReason of a pause, outcome of a ContactSkipped, rule of a ContactHeld",
        ),
        value: z
          .array(whole.nullable())
          .describe(
            "How many contacts an import brought; of ContactAttemptFailed and ContactCallbackScheduled the next attempt in milliseconds after the row, null: none; of ContactHeld its end in the same way; else the attempt, or null",
          ),
      })
      .describe("A row for each event, in their order"),
    optedOut: column(
      "Rows, counted from 0, at which a contact asked never to be called again: ends of attempts, ascending",
    ),
  })
  .meta({
    id: "CampaignStory",
    examples: [
      {
        position: "42",
        startsAt: "2026-09-01T10:00:00.000Z",
        contacts: 1,
        kinds: ["ContactsImported", "CampaignCreated"],
        reasons: [],
        columns: { at: [0, 3], kind: [0, 1], contact: [-1, -1], reason: [-1, -1], value: [1, 1] },
        optedOut: [],
      },
    ],
  });
/** A campaign's own events in columns, one row each, in order. */
export type CampaignStory = DeepReadonly<z.infer<typeof campaignStory>>;

/** Why a contact is in its state: the first that holds, in this order. */
const VERDICTS = [
  "rejected",
  "suppressed",
  "skipped",
  "cancelled",
  "reached",
  "in_call",
  "failed_for_good",
  "budget_used",
  "not_started",
  "paused",
  "waiting_retry",
  "held_by_policy",
  "outside_own_window",
  "due",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Languages of its sentence. */
export const LANGUAGES = ["en", "tr"] as const;
export type Language = (typeof LANGUAGES)[number];

const checked = (what: string) => z.union([z.string(), z.number()]).nullable().describe(what);

const hold = z.object({
  ...holdFields,
  rule: z.enum([...HOLD_RULES, "callableHours"]).describe("The rule of the policy"),
  since: holdFields.since.nullable().describe("When it was held first; null: by the hours alone"),
  heldBy: callIdOrNull.describe("The call that the number is in; null: none"),
  value: checked(
    "What the rule saw: number of dials in the period that is full, or of live calls; null: by the hours alone",
  ),
  limit: checked(
    "What it allows: number of live calls, or of dials and their period (`3/week`); null: by the hours alone",
  ),
});

export const explanation = z
  .object({
    campaignId,
    contactId,
    at: instant.describe("Of which moment it tells"),
    verdict: z.enum(VERDICTS).describe("The first of these that holds"),
    sentence: z
      .string()
      .describe("In English or Turkish, by Accept-Language; claims nothing but what `because` says"),
    until: instant.nullable().describe("When it may change by itself; null: not by itself"),
    optOutCallId: callIdOrNull.describe(
      "The call by which its number came onto the do-not-call list, or on which it was asked never to be called again; null: the answer rests on none",
    ),
    hold: hold
      .nullable()
      .describe("With held_by_policy: the rule, and what it compared; with other verdicts null"),
    because: z
      .array(
        z.object({
          position: z.string().describe("Its place in the log"),
          type: z.string().describe("What happened"),
          at: instant.describe("When"),
        }),
      )
      .describe("The events that it rests on"),
  })
  .meta({
    id: "Explanation",
    examples: [
      {
        campaignId: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5",
        contactId: "ctc_01k4b2s9h3e8t9v0w1x2y3z4a5",
        at: "2026-09-01T10:00:00.000Z",
        verdict: "not_started",
        sentence: "Ayşe (+905321112233) waits for the campaign, which has not been started.",
        until: null,
        optOutCallId: null,
        hold: null,
        because: [{ position: "42", type: "CampaignCreated", at: "2026-09-01T09:00:00.000Z" }],
      },
    ],
  });
export type Explanation = DeepReadonly<z.infer<typeof explanation>>;

export const campaignStoryRoutes = routes({
  getCampaignStory: {
    method: "GET",
    path: "/api/v1/campaigns/:id/story",
    tag: "campaigns",
    summary: "Everything that happened to a campaign, in columns",
    description: "Without names, numbers and ids of calls; compressed where the client takes gzip or br.",
    scope: "campaigns:read",
    answers: { 200: answer(campaignStory) },
    errors: ["CAMPAIGN_NOT_FOUND"],
    answersMuch: true,
  },
  explainContact: {
    method: "GET",
    path: "/api/v1/campaigns/:id/contacts/:contactId/explain",
    tag: "campaigns",
    summary: "Why this contact is, or then was, as it is",
    description:
      "From the log alone. Of `due` it says that nobody dialled: what kept the campaign from it (pace, slots, the carrier) is no event; for now GET /campaigns/:id/progress tells it.",
    scope: "campaigns:read",
    query: z.object({ at: asItStoodAt }),
    answers: { 200: answer(explanation) },
    errors: ["CAMPAIGN_NOT_FOUND", "CONTACT_NOT_FOUND"],
  },
});
