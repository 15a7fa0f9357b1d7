import { z } from "zod";
import { e164 } from "../../contract/fields.ts";
import { WARNING_CODES } from "../../domain/campaign/warnings/warning.ts";
import { campaign, count, statistics } from "./record-schemas.ts";

/** A list without paging, however long. */
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

/** A probable mistake of the user. */
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

/** The same rules and report as an import; repeats are reported as well. */
export const addedContacts = z
  .object({ campaign, statistics, rejectedContacts, warnings })
  .meta({ id: "ContactsAdded" });

export const importReport = z
  .object({ totalContacts: count, rejectedContacts, duplicateContacts, normalized, warnings })
  .meta({ id: "CampaignImportReport" });
