import { z } from "zod";
import { retriedEndReason } from "../calls/schemas.ts";
import { customObject, greeting, instructions, reference, text, timezone, wholeNumber } from "../schema.ts";

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

const hour = wholeNumber(0, 23).nullable();

/** A number that is no E.164 is filtered out later and told in the report; here it only has to be text. */
export const contactBody = z
  .strictObject({
    phoneNumber: text(0, 255),
    name: text(0, 255).optional(),
    customData: customObject().optional(),
    timezone: timezone.optional(),
    externalId: text(0, 255).optional(),
  })
  .meta({ id: "ContactRequest" });

const settingsFields = {
  name: text(1, 255),
  maxConcurrentCalls: wholeNumber(1, 1_000_000).nullable().optional(),
  maxCallsPerSecond: z
    .number()
    .refine((value) => value > 0 && value <= 1_000_000, { message: "Must be above 0, at most 1000000" })
    .meta({ exclusiveMinimum: 0, maximum: 1_000_000 })
    .nullable()
    .optional(),
  maxRetries: wholeNumber(1, 10).nullable().optional(),
  retryIntervalMins: wholeNumber(1, 1440).nullable().optional(),
  retryOn: z.array(retriedEndReason).max(50).optional(),
  timezone: timezone.optional(),
  callWindowStart: hour.optional(),
  callWindowEnd: hour.optional(),
};

const campaignFields = {
  ...settingsFields,
  phoneNumberId: reference,
  assistantId: reference,
  squadId: reference.optional(),
  greetingMessage: greeting.optional(),
  specialInstructions: instructions.optional(),
  metadata: customObject().optional(),
  ringTimeoutSeconds: wholeNumber(10, 120).optional(),
  skipDuplicates: z.boolean().optional(),
};

type WindowFields = { readonly callWindowStart?: unknown; readonly callWindowEnd?: unknown };

/** Rules between two fields are judged whatever else is wrong, so that all problems are told at once. */
const always = () => true;

const isHour = (value: unknown) => typeof value === "number";
const usedTogether = (body: unknown) => {
  const { callWindowStart, callWindowEnd } = windowOf(body);
  return isHour(callWindowStart) === isHour(callWindowEnd);
};
const different = (body: unknown) => {
  const { callWindowStart, callWindowEnd } = windowOf(body);
  return !isHour(callWindowStart) || callWindowStart !== callWindowEnd;
};

function windowOf(body: unknown): WindowFields {
  return typeof body === "object" && body !== null ? body : {};
}

const TOGETHER = {
  message: "callWindowStart and callWindowEnd are used together",
  path: ["callWindowEnd"],
  when: always,
};
const DIFFERENT = { message: "Must differ from callWindowStart", path: ["callWindowEnd"], when: always };

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
};

const contacts = z
  .array(contactBody)
  .min(1, "Must hold 1 to 10,000 contacts")
  .max(MAX_CONTACTS, "Must hold 1 to 10,000 contacts");

export const createCampaignBody = z
  .strictObject({ ...campaignFields, contacts })
  .refine(usedTogether, TOGETHER)
  .refine(different, DIFFERENT)
  .meta({
    id: "CampaignRequest",
    examples: [
      {
        ...EXAMPLE,
        contacts: [{ phoneNumber: "+905321112233", name: "Ayşe", customData: { date: "2 September" } }],
      },
    ],
  });

export const importSettings = z
  .strictObject(campaignFields)
  .refine(usedTogether, TOGETHER)
  .refine(different, DIFFERENT)
  .meta({ id: "CampaignImportSettings", examples: [EXAMPLE] });

export type CampaignSettingsInput = z.infer<typeof importSettings>;
export type ContactBody = z.infer<typeof contactBody>;

export const addContactsBody = z
  .strictObject({ contacts, skipDuplicates: z.boolean().optional() })
  .meta({ id: "AddContactsRequest", examples: [{ contacts: [{ phoneNumber: "+905321112233" }] }] });

/** What stands may be half of the window; the two together are judged in the route. */
export const changeCampaignBody = z
  .strictObject({ ...settingsFields, name: settingsFields.name.optional() })
  .refine(different, DIFFERENT)
  .meta({
    id: "CampaignChanges",
    examples: [{ maxConcurrentCalls: 20, callWindowStart: 10, callWindowEnd: 17 }],
  });

export const cancelBody = z
  .strictObject({ hangUpActiveCalls: z.boolean().optional() })
  .nullish()
  .meta({ examples: [{ hangUpActiveCalls: true }] });
