import { z } from "zod";
import type { ContactSkipped, ContactStatus, HoldRule } from "../domain/campaign/events.ts";
import { parsePhoneNumber } from "../domain/shared/phone-number.ts";
import { callStatus, endedAt, endedFor, endReason } from "./call.ts";
import { CONSENT, consentInput, consentOrNull } from "./consent.ts";
import {
  answer,
  anyObject,
  asItStoodAt,
  bytes,
  count,
  createdAt,
  customObject,
  type DeepReadonly,
  e164,
  idOf,
  instant,
  list,
  noBody,
  pageFields,
  pageLimit,
  text,
  timezone,
} from "./fields.ts";
import { ownerEvent } from "./history.ts";
import { contactOutcome } from "./outcome.ts";
import { file, routes } from "./route.ts";

const CONTACT_STATUSES = [
  "pending",
  "dialing",
  "waiting_retry",
  "succeeded",
  "failed",
  "skipped",
] as const satisfies readonly ContactStatus[];
export const contactStatus = z.enum(CONTACT_STATUSES);
const NEXT_ATTEMPT_CAUSES = ["retry", "callback"] as const;
const SKIP_REASONS = [
  "suppressed",
  "by_request",
  "outcome_unknown",
  "zone_unknown",
  "no_consent",
  "not_eligible",
] as const satisfies readonly ContactSkipped["data"]["reason"][];
export const HOLD_RULES = [
  "oneCallAtATime",
  "attemptsPerNumber",
  "eligibility",
  "eligibility_unavailable",
] as const satisfies readonly HoldRule[];

const NUMBER = "The number to call, E.164";
const NAME = "Fills {{name}}; null: none";
const CUSTOM_DATA = "A JSON object, at most 16 KiB, whose values fill the placeholders";
const TIMEZONE = "IANA time zone of this contact; left out or null: the campaign's";
const EXTERNAL_ID = "Your own id of this contact; null: none";

const given = {
  phoneNumber: text(0, 255),
  name: text(0, 255).nullish(),
  customData: customObject().nullish().describe(CUSTOM_DATA),
  timezone: timezone.nullish(),
  externalId: text(0, 255).nullish(),
  consent: consentInput.nullish().describe(CONSENT),
};

/**
 * A number that is not E.164 is filtered out later and reported; here it only has to be text.
 * `number`: its parsed form.
 */
export const contactBody = z
  .strictObject({
    phoneNumber: given.phoneNumber.describe(NUMBER),
    name: given.name.describe(NAME),
    customData: given.customData,
    timezone: given.timezone.describe(TIMEZONE),
    externalId: given.externalId.describe(EXTERNAL_ID),
    consent: given.consent,
  })
  .meta({ id: "ContactRequest" })
  .transform((contact) => ({ ...contact, number: parsePhoneNumber(contact.phoneNumber) }));
export type ContactRequest = DeepReadonly<z.output<typeof contactBody>>;

/** A contact whose texts are previewed. */
export const previewedContact = z.strictObject({
  phoneNumber: given.phoneNumber.optional().describe("The number of the contact; nobody is called"),
  name: given.name.describe("Fills {{name}}"),
  customData: given.customData,
  timezone: given.timezone.describe("IANA time zone of the contact"),
  externalId: given.externalId.describe("Your own id of the contact"),
  consent: given.consent,
});

const attempt = z.object({
  attempt: count.describe("Number of the attempt, counted from 1"),
  callId: idOf("call").describe("Id of its call"),
  startedAt: instant.describe("When it was dialled; ISO 8601, UTC"),
  endedAt,
  status: callStatus.describe("How far the call has come"),
  endReason: endedFor,
  durationSeconds: z
    .number()
    .nullable()
    .describe("Seconds from answer to end; null before the end, and when nobody answered"),
  cost: z
    .number()
    .nullable()
    .describe(
      "Credits, 4 decimals; null before the end, and when the attempt is older than the telling of its cost",
    ),
});
export type ContactAttemptRecord = DeepReadonly<z.infer<typeof attempt>>;

/** What every hold says of itself. */
export const holdFields = {
  rule: z.enum(HOLD_RULES).describe("The rule of the policy"),
  until: instant.nullable().describe("When it ends by itself; null: with the call that the number is in"),
  since: instant.describe("When the contact was to be called and was held; ISO 8601, UTC"),
  policyVersion: count.describe(
    "Number of the policy's version, 0: there is none, and the campaign's own address holds; with another one the hold ends",
  ),
};

const contactRecord = z
  .object({
    id: idOf("ctc").describe("Id of the contact"),
    phoneNumber: e164.describe(NUMBER),
    name: z.string().nullable().describe(NAME),
    customData: anyObject.describe(CUSTOM_DATA),
    timezone: z.string().nullable().describe(TIMEZONE),
    externalId: z.string().nullable().describe(EXTERNAL_ID),
    consent: consentOrNull.describe(CONSENT),
    status: contactStatus.describe("What happened to this contact so far"),
    attempts: z.array(attempt).describe("Every attempt to reach it, in order"),
    nextAttemptAt: instant
      .nullable()
      .describe(
        "When it is called again at the earliest, by its retry and its hold; ISO 8601, UTC; null: no time is set",
      ),
    nextAttemptCause: z
      .enum(NEXT_ATTEMPT_CAUSES)
      .nullable()
      .describe("Why it waits to be called again; null: it does not wait"),
    callbackAt: instant
      .nullable()
      .describe(
        "When it is called again as it agreed on its last call; ISO 8601, UTC; null: it waits for no such call",
      ),
    hold: z
      .object(holdFields)
      .nullable()
      .describe("What keeps it from being called by the owner's policy, whatever its status; null: nothing"),
    skipReason: z
      .enum(SKIP_REASONS)
      .nullable()
      .describe("Why it is not called any more; null: it was not skipped, or by the end of the campaign"),
    optedOut: z.boolean().describe("It asked on a call of this campaign never to be called again"),
    outcome: contactOutcome,
    createdAt,
  })
  .meta({ id: "Contact" });
export type ContactRecord = DeepReadonly<z.infer<typeof contactRecord>>;

const place = z
  .string()
  .regex(/^\d{1,7}$/, "Must be a whole number from 0")
  .transform(Number)
  .meta({ type: "integer", minimum: 0, pattern: undefined });

const status = contactStatus.optional().describe("Only those with this status");

const whether = z.enum(["true", "false"]).transform((text) => text === "true");

/** What was asked for and brought home, by which contacts are listed and exported. */
const wishes = {
  optedOut: whether.optional().describe("Only those that asked, or did not, never to be called again"),
  success: whether
    .optional()
    .describe("Only those whose last answered call succeeded, or did not, by its latest analysis"),
  nextAttemptCause: z
    .enum(NEXT_ATTEMPT_CAUSES)
    .optional()
    .describe("Only those that wait for a retry, or for a call that they agreed"),
  held: whether.optional().describe("Only those that the owner's policy holds, or does not hold"),
};
const VALUES =
  "`outcome.<name>=<value>`, at most three of them: only contacts whose last answered call has this value in the " +
  "field `<name>`, as its JSON text without quotes (`true`, `12`, `yes`, `null`).";

const contactsQuery = z.object({
  status,
  ...wishes,
  endReason: endReason.optional().describe("Only those whose last attempt ended so"),
  q: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only those with these digits in their number, or a word of their name that begins so"),
  from: place
    .optional()
    .describe("From this place in the order of import on, counted from 0; in place of cursor"),
  at: asItStoodAt,
  ...pageFields,
  limit: pageLimit(1_000).describe(pageFields.limit.description ?? ""),
});

const errors = ["CAMPAIGN_NOT_FOUND", "CONTACT_NOT_FOUND"] as const;

export const contactRoutes = routes({
  listContacts: {
    method: "GET",
    path: "/api/v1/campaigns/:id/contacts",
    tag: "campaigns",
    summary: "Contacts in the order of import, now or as they stood",
    description: `${VALUES} These, \`success\` and \`held\` are of now: not together with \`at\`.`,
    scope: "campaigns:read",
    query: contactsQuery,
    namedQuery: "outcome.",
    answers: { 200: list(contactRecord, 1_000) },
    errors: ["CAMPAIGN_NOT_FOUND"],
  },
  getContact: {
    method: "GET",
    path: "/api/v1/campaigns/:id/contacts/:contactId",
    tag: "campaigns",
    summary: "One contact with its attempts",
    scope: "campaigns:read",
    answers: { 200: answer(contactRecord) },
    errors,
  },
  listContactEvents: {
    method: "GET",
    path: "/api/v1/campaigns/:id/contacts/:contactId/events",
    tag: "campaigns",
    summary: "What happened to a contact, and in all of its calls, oldest first",
    scope: "campaigns:read",
    query: z.object(pageFields),
    answers: { 200: list(ownerEvent) },
    errors,
  },
  exportContacts: {
    method: "GET",
    path: "/api/v1/campaigns/:id/contacts.csv",
    tag: "campaigns",
    summary: "All contacts as a CSV file",
    description: VALUES,
    scope: "campaigns:read",
    query: z.object({ status, ...wishes }),
    namedQuery: "outcome.",
    answers: { 200: file("text/csv", "CSV, UTF-8", bytes) },
    errors: ["CAMPAIGN_NOT_FOUND"],
  },
  skipContact: {
    method: "POST",
    path: "/api/v1/campaigns/:id/contacts/:contactId/skip",
    tag: "campaigns",
    summary: "Nobody calls this contact again",
    scope: "campaigns:write",
    body: noBody,
    answers: { 200: answer(contactRecord) },
    errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_INVALID_STATE", "CONTACT_NOT_FOUND"],
  },
});
