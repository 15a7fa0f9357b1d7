import { z } from "zod";
import { MAX_CONTACTS } from "../domain/campaign/importing.ts";
import { ASSUMED_RINGING, ASSUMED_TALK } from "../domain/campaign/progress.ts";
import { isNumberCountry, type NumberCountry } from "../domain/shared/written-number.ts";
import { warnings, wholeCampaign } from "./campaign.ts";
import {
  campaignFields,
  EXAMPLE_CAMPAIGN,
  greetingTemplate,
  instructionsTemplate,
  paceFields,
  skipDuplicates,
  withWholeSettings,
} from "./campaign-settings.ts";
import { type ContactRequest, contactBody, previewedContact } from "./contact.ts";
import { answer, assistantId, bytes, count, e164, reference, text, wholeNumber } from "./fields.ts";
import { routes } from "./route.ts";

// How contacts come into a campaign, and what its making answers.

const COUNT = "Must hold 1 to 10,000 contacts";
const CONTACTS = "Whom to call, 1 to 10,000";
const contacts = z
  .array(contactBody)
  .min(1, COUNT)
  .max(MAX_CONTACTS, COUNT)
  .transform((list): Iterable<ContactRequest> => list)
  .describe(CONTACTS);
/** For a list whose contacts are checked one by one. */
export const anyContacts = z.array(z.unknown()).min(1, COUNT).max(MAX_CONTACTS, COUNT);

export const createCampaignBodyOf = <List extends z.ZodType>(list: List) =>
  withWholeSettings(z.strictObject({ ...campaignFields, contacts: list }));

const createCampaignBody = createCampaignBodyOf(contacts).meta({
  id: "CampaignRequest",
  examples: [
    {
      ...EXAMPLE_CAMPAIGN,
      contacts: [{ phoneNumber: "+905321112233", name: "Ayşe", customData: { date: "2 September" } }],
    },
  ],
});

export const addContactsBodyOf = <List extends z.ZodType>(list: List) =>
  z.strictObject({ contacts: list, skipDuplicates });

const addContactsBody = addContactsBodyOf(contacts).meta({
  id: "AddContactsRequest",
  examples: [{ contacts: [{ phoneNumber: "+905321112233" }] }],
});

const columnName = text(1, 255).optional();

/** Names of columns of a file by their meaning. */
const namedColumns = z
  .strictObject({
    phone: columnName,
    name: columnName,
    timezone: columnName,
    externalId: columnName,
    consentSource: columnName,
    consentAt: columnName,
    consentExpiresAt: columnName,
    consentReference: columnName,
  })
  .superRefine((columns, context) => {
    const { consentSource, consentAt, consentExpiresAt, consentReference } = columns;
    if ((consentSource ?? consentAt ?? consentExpiresAt ?? consentReference) === undefined) return;
    for (const role of ["consentSource", "consentAt"] as const)
      if (columns[role] === undefined)
        context.addIssue({ code: "custom", path: [role], message: "Required where a consent has a column" });
  });
export type ColumnRole = keyof z.infer<typeof namedColumns>;

/** ISO 3166, in capitals. */
export const numberCountry = z.string().transform((code, context): NumberCountry => {
  if (isNumberCountry(code)) return code;
  const message = "Must be the ISO code of a country in capitals, for example TR";
  context.issues.push({ code: "custom", input: code, message });
  return z.NEVER;
});

/** The JSON beside a file; the document tells of it in words. */
export const importSettings = withWholeSettings(
  z.strictObject({
    ...campaignFields,
    columns: namedColumns.optional(),
    defaultCountry: numberCountry.optional(),
  }),
).meta({ id: "CampaignImportSettings", examples: [EXAMPLE_CAMPAIGN] });
export type ImportSettings = z.infer<typeof importSettings>;

const index = count.describe("Place in the request, counted from 0");

const rejectedContacts = z
  .object({
    count: count.describe("Number of contacts left out"),
    items: z
      .array(
        z.object({
          index,
          phoneNumber: z.string().nullable().describe("The number as it was given; null: there was none"),
          reason: z.string().describe("Why: not_e164, not_possible, duplicate, text_too_long and the like"),
          line: count.optional().describe("Line of the file on which the row begins, counted from 1"),
        }),
      )
      .describe("The first 100 of them"),
  })
  .describe("Contacts that were left out");

const duplicateContacts = z
  .object({
    count: count.describe("Number of contacts that repeat an earlier one"),
    items: z
      .array(z.object({ index, phoneNumber: z.string().describe("The number that occurred before") }))
      .describe("The first 100 of them"),
  })
  .describe("Numbers that occur more than once");

const normalized = z
  .object({
    count: count.describe("Number of cells that were read as a number of the country"),
    items: z
      .array(
        z.object({
          line: count.describe("Line of the file, counted from 1"),
          from: z.string().describe("As it stands in the file"),
          to: e164.describe("The number that it was read as, E.164"),
        }),
      )
      .describe("The first 100 of them"),
  })
  .describe("Accepted numbers that stood otherwise in the file; the first 100 are named");

const report = { ...wholeCampaign, rejectedContacts, duplicateContacts };

const campaignReport = z.object({ ...report, warnings }).meta({ id: "CampaignReport" });

const importedCampaign = z.object({ ...report, normalized, warnings }).meta({ id: "CampaignImportAnswer" });

/** The same rules and report as an import; repeats are reported as well. */
const addedContacts = z
  .object({ ...wholeCampaign, rejectedContacts, warnings })
  .meta({ id: "ContactsAdded" });

const importReport = z
  .object({
    totalContacts: count.describe("Number of contacts that would be accepted"),
    rejectedContacts,
    duplicateContacts,
    normalized,
    warnings,
  })
  .meta({ id: "CampaignImportReport" });

const MOST_PREVIEWED = 20;

/** The limits of texts are those of a campaign. */
const previewBody = withWholeSettings(
  z.strictObject({
    greetingMessage: greetingTemplate,
    specialInstructions: instructionsTemplate,
    assistantId: reference.optional().describe(assistantId.description ?? ""),
    contacts: z
      .array(previewedContact)
      .max(MOST_PREVIEWED, `Must hold at most ${MOST_PREVIEWED} contacts`)
      .describe("Whose values fill the texts, at most 20"),
    contactCount: wholeNumber(1, MAX_CONTACTS)
      .optional()
      .describe("Number of contacts that the campaign would have; left out: nothing is estimated"),
    ...paceFields,
  }),
).meta({
  id: "CampaignPreviewRequest",
  examples: [
    {
      greetingMessage: "Hello {{name}}!",
      specialInstructions: "The appointment is on {{date}}.",
      contacts: [{ name: "Ayşe", customData: { date: "2 September" } }],
    },
  ],
});

const estimate = z
  .object({
    hours: z
      .number()
      .nullable()
      .describe(
        "Hours from the start to the end of the last call, with those in which the window is closed; null: no contactCount, the window never opens, or the end is too far away",
      ),
    credits: z.number().nullable().describe("Credits that the calls would cost; null: no contactCount"),
  })
  .describe(
    `Assumed: each contact is called once and answers, a call rings ${ASSUMED_RINGING} seconds and talks ${ASSUMED_TALK}, ` +
      "all lines are free for the campaign, and the window is judged in its own zone. Retries and the pace of a connection are not counted",
  );

const filledText = z.string().nullable();

const preview = z
  .object({
    items: z
      .array(
        z.object({
          greetingMessage: filledText.describe(
            "As it would be said; null: neither a greeting nor an assistant was given",
          ),
          specialInstructions: filledText.describe("null: none were given"),
          reason: z
            .enum(["text_too_long"])
            .optional()
            .describe("Both texts are null: the contact would be rejected for this"),
        }),
      )
      .describe("The texts as they would be said, a contact each"),
    warnings,
    estimate,
  })
  .meta({ id: "CampaignPreview" });

const importQuery = z.object({
  dryRun: z.enum(["true", "false"]).optional().describe("true: answers the report and makes nothing"),
  rejected: z
    .enum(["all"])
    .optional()
    .describe("With dryRun=true: every rejected row is named, not only the first 100"),
  settings: z.string().optional().describe("With text/csv: JSON"),
});

/** References in the body that are missing, inactive or unpublished. */
const creationErrors = [
  "PHONE_NUMBER_NOT_FOUND@400",
  "ASSISTANT_NOT_FOUND@400",
  "ASSISTANT_NOT_PUBLISHED",
  "SQUAD_NOT_FOUND@400",
] as const;

export const campaignImportRoutes = routes({
  createCampaign: {
    method: "POST",
    path: "/api/v1/campaigns",
    tag: "campaigns",
    summary: "Creates a campaign of 1 to 10,000 contacts",
    scope: "campaigns:write",
    body: createCampaignBody,
    answers: { 201: answer(campaignReport) },
    idempotent: true,
    errors: creationErrors,
  },
  importCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/import",
    tag: "campaigns",
    summary: "Creates a campaign from a CSV file",
    description:
      "A CSV file with the columns phone and name (any case); every other column is a customData key. " +
      "As text/csv with the query `settings`, or as multipart/form-data with the parts `settings` and `file`. " +
      "`settings` is the body of POST /campaigns without contacts, as JSON. Beside that it takes " +
      "`columns` {phone?, name?, timezone?, externalId?, consentSource?, consentAt?, consentExpiresAt?, consentReference?}, the names of these columns in the file (consentAt and consentExpiresAt: ISO 8601 with offset; a row without any of the four has no consent), and " +
      "`defaultCountry`, an ISO code: numbers that are not in E.164 form are then read as they are dialled in that " +
      "country, when exactly one valid number can be meant. The file is UTF-8, UTF-16 with its mark, or of the charset in its content type. `rejected=all` with `dryRun=true` names every rejected " +
      "row (100,000 at the most), with Accept: text/csv as a file of their line, reason and own cells. Reasons: missing_phone, " +
      "not_e164, not_possible, spreadsheet_number (9.05E+11), bad_timezone, bad_consent, consent_in_future, duplicate, text_too_long, too_many_cells, " +
      "too_few_cells, bad_row (it cannot be read), invalid_character, name_too_long, external_id_too_long, custom_data_too_large.",
    scope: "campaigns:write",
    query: importQuery,
    answers: {
      200: {
        description: "The report of a trial; nothing is made",
        content: {
          "application/json": { schema: answer(importReport) },
          "text/csv": { schema: bytes },
        },
      },
      201: answer(importedCampaign),
    },
    quietAt: [200],
    idempotent: true,
    takesFile: true,
    errors: creationErrors,
  },
  addContacts: {
    method: "POST",
    path: "/api/v1/campaigns/:id/contacts",
    tag: "campaigns",
    summary: "Adds contacts; 10,000 in all at the most",
    scope: "campaigns:write",
    body: addContactsBody,
    answers: { 200: answer(addedContacts) },
    idempotent: true,
    errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_INVALID_STATE"],
  },
  previewCampaign: {
    method: "POST",
    path: "/api/v1/campaigns/preview",
    tag: "campaigns",
    summary: "What would be said to each of up to 20 contacts; nothing is made",
    scope: "campaigns:write",
    body: previewBody,
    answers: { 200: answer(preview) },
    quietAt: [200],
    errors: ["ASSISTANT_NOT_FOUND@400", "ASSISTANT_NOT_PUBLISHED", "CONCURRENCY_LIMIT_REACHED"],
  },
});
