import { z } from "zod";
import { retriedEndReason } from "../../contract/call.ts";
import {
  customObject,
  greeting,
  instantInput,
  instructions,
  phoneNumber,
  reference,
  text,
  timezone,
  wholeNumber,
} from "../../contract/fields.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { isNumberCountry, type NumberCountry } from "../../domain/shared/written-number.ts";
import type { ColumnRole } from "../body/reading-options.ts";
import { callWindowFields, withPartOfWindow, withWholeWindow } from "./call-window.ts";

export const MAX_CONTACTS = 10_000;
export const CAMPAIGN_STATUSES = ["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"] as const;
export const CONTACT_STATUSES = [
  "pending",
  "dialing",
  "waiting_retry",
  "succeeded",
  "failed",
  "skipped",
] as const;

const contactFields = {
  phoneNumber: text(0, 255),
  name: text(0, 255).nullish(),
  customData: customObject().nullish(),
  timezone: timezone.nullish(),
  externalId: text(0, 255).nullish(),
};

/**
 * A number that is not E.164 is filtered out later and reported; here it only has to be text.
 * `number`: its parsed form.
 */
export const contactBody = z
  .strictObject(contactFields)
  .meta({ id: "ContactRequest" })
  .transform((contact) => ({ ...contact, number: parsePhoneNumber(contact.phoneNumber) }));

/**
 * Calls a second; one call in twelve days. With a smaller number the time of the next call would
 * not be representable.
 */
const SLOWEST = 0.000_001;
const FASTEST = 1_000_000;

const startAt = instantInput.nullable().meta({
  description:
    "When the campaign starts by itself while it is PENDING: ISO 8601 with an offset, at most a year ahead, at most 60 seconds in the past. " +
    "null: when it is started. It changes only while PENDING.",
});

const settingsFields = {
  name: text(1, 255),
  maxConcurrentCalls: wholeNumber(1, 1_000_000).nullable().optional(),
  maxCallsPerSecond: z
    .number()
    .refine((value) => value >= SLOWEST && value <= FASTEST, {
      message: "Must be from 0.000001 to 1000000",
    })
    .meta({ minimum: SLOWEST, maximum: FASTEST })
    .nullable()
    .optional(),
  maxRetries: wholeNumber(1, 10).nullable().optional(),
  retryIntervalMins: wholeNumber(1, 1440).nullable().optional(),
  retryOn: z.array(retriedEndReason).max(50).optional(),
  timezone: timezone.optional(),
  ...callWindowFields,
  startAt: startAt.optional(),
};

const campaignFields = {
  ...settingsFields,
  phoneNumberId: reference,
  assistantId: reference,
  squadId: reference.nullish(),
  greetingMessage: greeting.nullish(),
  specialInstructions: instructions.nullish(),
  metadata: customObject().nullish(),
  ringTimeoutSeconds: wholeNumber(10, 120).optional(),
  skipDuplicates: z.boolean().optional(),
};

const EXAMPLE = {
  name: "September reminders",
  phoneNumberId: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
  assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
  greetingMessage: "Hello {{name}}!",
  specialInstructions: "The appointment is on {{date}}.",
  maxConcurrentCalls: 5,
  maxRetries: 2,
  timezone: "Europe/Istanbul",
  callWindowStart: 9,
  callWindowEnd: 18,
  callWindowEndMinute: 30,
  callWindowDays: [1, 2, 3, 4, 5],
  callWindowExcludedDates: ["2026-12-25"],
};

const COUNT = "Must hold 1 to 10,000 contacts";
const contacts = z
  .array(contactBody)
  .min(1, COUNT)
  .max(MAX_CONTACTS, COUNT)
  .transform((list): Iterable<ContactBody> => list);
/** For a list whose contacts are checked one by one. */
export const anyContacts = z.array(z.unknown()).min(1, COUNT).max(MAX_CONTACTS, COUNT);

export const createCampaignBodyOf = <List extends z.ZodType>(list: List) =>
  withWholeWindow(z.strictObject({ ...campaignFields, contacts: list }));

export const createCampaignBody = createCampaignBodyOf(contacts).meta({
  id: "CampaignRequest",
  examples: [
    {
      ...EXAMPLE,
      contacts: [{ phoneNumber: "+905321112233", name: "Ayşe", customData: { date: "2 September" } }],
    },
  ],
});

const columnName = text(1, 255).optional();

/** ISO 3166, in capitals. */
const numberCountry = z.string().transform((code, context): NumberCountry => {
  if (isNumberCountry(code)) return code;
  const message = "Must be the ISO code of a country in capitals, for example TR";
  context.issues.push({ code: "custom", input: code, message });
  return z.NEVER;
});

export const importSettings = withWholeWindow(
  z.strictObject({
    ...campaignFields,
    columns: z
      .strictObject({
        phone: columnName,
        name: columnName,
        timezone: columnName,
        externalId: columnName,
      } satisfies Record<ColumnRole, typeof columnName>)
      .optional(),
    defaultCountry: numberCountry.optional(),
  }),
).meta({ id: "CampaignImportSettings", examples: [EXAMPLE] });

export type ImportSettingsInput = z.infer<typeof importSettings>;
/** The fields of a campaign except its contacts, for every way to import these. */
export type CampaignSettingsInput = Omit<ImportSettingsInput, "columns" | "defaultCountry">;
export type ContactBody = z.infer<typeof contactBody>;

export const addContactsBodyOf = <List extends z.ZodType>(list: List) =>
  z.strictObject({ contacts: list, skipDuplicates: z.boolean().optional() });

export const addContactsBody = addContactsBodyOf(contacts).meta({
  id: "AddContactsRequest",
  examples: [{ contacts: [{ phoneNumber: "+905321112233" }] }],
});

/** The current window may be merged with it; the route checks the result. */
export const changeCampaignBody = withPartOfWindow(
  z.strictObject({ ...settingsFields, name: settingsFields.name.optional() }),
).meta({
  id: "CampaignChanges",
  examples: [{ maxConcurrentCalls: 20, callWindowStart: 10, callWindowEnd: 17, callWindowDays: null }],
});

export const testCallBody = z
  .strictObject({
    to: phoneNumber.meta({ description: "Who is called, in E.164 format" }),
    contactId: reference
      .optional()
      .meta({ description: "The contact whose values fill the texts; left out: the first one" }),
  })
  .meta({ id: "TestCallRequest", examples: [{ to: "+905321112233" }] });

const MOST_PREVIEWED = 20;

/** The limits of texts are those of a campaign. */
export const previewBody = z
  .strictObject({
    greetingMessage: greeting.nullish(),
    specialInstructions: instructions.nullish(),
    assistantId: reference.optional(),
    contacts: z
      .array(z.strictObject({ ...contactFields, phoneNumber: contactFields.phoneNumber.optional() }))
      .max(MOST_PREVIEWED, `Must hold at most ${MOST_PREVIEWED} contacts`),
  })
  .meta({
    id: "CampaignPreviewRequest",
    examples: [
      {
        greetingMessage: "Hello {{name}}!",
        specialInstructions: "The appointment is on {{date}}.",
        contacts: [{ name: "Ayşe", customData: { date: "2 September" } }],
      },
    ],
  });

export const cancelBody = z
  .strictObject({ hangUpActiveCalls: z.boolean().optional() })
  .nullish()
  .meta({ examples: [{ hangUpActiveCalls: true }] });
