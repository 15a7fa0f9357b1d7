import { z } from "zod";
import { type ZoneProblem, zoneProblem } from "../domain/campaign/window/taken-zone.ts";
import type { ConnectionId, IdOf } from "../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../domain/shared/instant.ts";
import type { JsonObject, JsonValue } from "../domain/shared/json.ts";
import { type PhoneNumber, parsePhoneNumber } from "../domain/shared/phone-number.ts";
import { fitsUtf8 } from "../domain/shared/utf8.ts";

/** Text with a length in characters (code points), as in JSON Schema. */
export function text(min: number, max: number) {
  const message = min === 0 ? `Must have at most ${max} characters` : `Must have ${min} to ${max} characters`;
  return z
    .string()
    .refine((value) => fits(value, min, max), { message })
    .meta({ ...(min === 0 ? {} : { minLength: min }), maxLength: max });
}

function fits(value: string, min: number, max: number): boolean {
  if (value.length < min) return false;
  if (value.length <= max) return true;
  if (value.length > max * 2) return false;
  return [...value].length <= max;
}

/** Longer text, with a length in bytes of UTF-8. */
export function longText(maxBytes: number) {
  return z
    .string()
    .refine((value) => fitsUtf8(value, maxBytes), {
      message: `Must have at most ${maxBytes / 1024} KiB`,
    })
    .meta({ maxLength: maxBytes });
}

export const KIB = 1024;
export const label = text(1, 255);
export const greeting = longText(4 * KIB);
export const instructions = longText(32 * KIB);

/** A JSON object of the caller: 16 KiB as JSON. Not copied, because there may be ten thousand of them. */
export function customObject(maxBytes = 16 * KIB) {
  return z
    .custom<JsonObject>(isObject, "Must be an object")
    .refine((value) => !isObject(value) || fitsUtf8(JSON.stringify(value), maxBytes), {
      message: `Must have at most ${maxBytes / KIB} KiB as JSON`,
    })
    .meta({ type: "object", additionalProperties: {} });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An id in a body is any text; text that cannot be one counts as unknown. */
export const reference = text(1, 255);

/** A check of our own: with zod's `int` the rules between fields would not be checked in the same answer. */
export const wholeNumber = (min: number, max: number) => {
  const message = `Must be a whole number from ${min} to ${max}`;
  return z
    .number(message)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, { message })
    .meta({ type: "integer", minimum: min, maximum: max });
};

const LONGEST_ZONE = 64;

const ZONE_PROBLEMS: Readonly<Record<ZoneProblem, string>> = {
  unknown: "Not a known IANA time zone, for example Europe/Istanbul",
  no_summer_time:
    "EST, MST, HST and offsets have no summer time: write the zone of the place, for example America/New_York",
  alias:
    "Abbreviations and legacy aliases can mean another place: write the IANA name with its region, for example Europe/London, or UTC",
};

export const timezone = z
  .string()
  .superRefine((value, context) => {
    const problem = value.length > LONGEST_ZONE ? "unknown" : zoneProblem(value);
    if (problem !== null) context.addIssue({ code: "custom", message: ZONE_PROBLEMS[problem] });
  })
  .meta({ maxLength: LONGEST_ZONE, examples: ["Europe/Istanbul"] });

/** E.164 as docs/api.md §4 means it. */
export const phoneNumber = z
  .string()
  .max(16, "Must be a number in E.164 format, for example +905321112233")
  .transform((value, context): PhoneNumber => {
    const parsed = parsePhoneNumber(value);
    if (parsed.ok) return parsed.value;
    context.issues.push({
      code: "custom",
      input: value,
      message:
        parsed.reason === "not_e164"
          ? "Must be a number in E.164 format, for example +905321112233"
          : "Has a length that is not possible in its country",
    });
    return z.NEVER;
  })
  .meta({ pattern: "^\\+[1-9]\\d{6,14}$", examples: ["+905321112233"] });

/** ISO 8601 with an offset, converted to UTC. */
export const instantInput = z
  .string()
  .max(40, "Must be an ISO 8601 time with its offset, for example 2026-09-01T10:00:00.000Z")
  .transform((value, context): Instant => {
    const instant = instantOf(value);
    if (instant !== null) return instant;
    context.issues.push({
      code: "custom",
      input: value,
      message: "Must be an ISO 8601 time with its offset, for example 2026-09-01T10:00:00.000Z",
    });
    return z.NEVER;
  })
  .meta({ format: "date-time", examples: ["2026-09-01T10:00:00.000Z"] });

/** A time as it is given; null: it is none, or its day is of no calendar. */
export function instantOf(value: string): Instant | null {
  return isDate(value.slice(0, 10)) ? parseInstant(value) : null;
}

/** A date of a calendar, without a zone. */
export const isoDate = z
  .string()
  .refine(isDate, { message: "Must be a date, for example 2026-12-25" })
  .meta({ format: "date", examples: ["2026-12-25"] });

function isDate(value: string): boolean {
  const millis = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(value);
}

/** What the schema lets through is one of the domain's own. */
export const typed = <T>(schema: z.ZodType): z.ZodType<T, T> => schema as z.ZodType<T, T>;

/** A time in an answer. */
export const instant = typed<Instant>(
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: "date-time" }),
);

/** Bytes of an answer that is not JSON. */
export const bytes = z
  .custom<Uint8Array | AsyncIterable<Uint8Array>>()
  .meta({ type: "string", format: "binary" });

/** An id in an answer. */
export const idOf = <Prefix extends keyof IdOf>(prefix: Prefix) =>
  typed<IdOf[Prefix]>(z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`)));

/** Id of a connection in an answer: an owner's, or that of one of the installation's. */
export const anyConnectionId = typed<ConnectionId>(z.string());

/** A number in an answer. */
export const e164 = typed<PhoneNumber>(z.string().regex(/^\+[1-9]\d{6,14}$/));

/** Any JSON object in an answer. */
export const anyObject = typed<JsonObject>(z.record(z.string(), z.unknown()));

/** Any JSON in an answer. */
export const anyValue = typed<JsonValue>(z.unknown());

// Fields that mean the same in every record.
export const createdAt = instant.describe("When it was made; ISO 8601, UTC");
export const updatedAt = instant.describe("When it changed last; ISO 8601, UTC");
export const deleted = z.literal(true).describe("It is gone");
const CALL = "Id of the call; null where no single call is meant";
export const callId = idOf("call").describe(CALL);
export const callIdOrNull = idOf("call").nullable().describe(CALL);
const CAMPAIGN = "Id of the campaign; null: none";
export const campaignId = idOf("cmp").describe(CAMPAIGN);
export const campaignIdOrNull = idOf("cmp").nullable().describe(CAMPAIGN);
const CONTACT = "Id of the contact in its campaign; null: none";
export const contactId = idOf("ctc").describe(CONTACT);
export const contactIdOrNull = idOf("ctc").nullable().describe(CONTACT);
export const squadIdOrNull = idOf("sqd").nullable().describe("Id of the squad; null: none");
export const assistantId = idOf("ast").describe("Id of the assistant");
export const phoneNumberId = idOf("pn").describe("Id of the phone number from which the call goes out");
export const userId = idOf("usr").describe("Id of the owner");

/** A number of things in an answer. */
export const count = z.number().meta({ type: "integer", minimum: 0 });

/** A parsed JSON object, for the events; absent or null: empty. */
export function jsonObject(value: Record<string, unknown> | null | undefined): JsonObject {
  return (value ?? {}) as JsonObject;
}

export const SUCCESS = "true: it was done; false: it was refused, and `error` says why";
export const success = z.literal(true).describe(SUCCESS);
export const refused = z.literal(false).describe(SUCCESS);

/** What a DELETE answers. */
export const deletedRecord = <Prefix extends keyof IdOf>(prefix: Prefix) =>
  z.object({ id: idOf(prefix).describe("Id of what is gone"), deleted });

/** The success answer of all routes except the outbound start. */
export const answer = <Data extends z.ZodType>(data: Data) =>
  z.object({ success, data: data.describe("The answer itself") });

export const NEXT_CURSOR = "Send it as `cursor` for the next page; null: this is the last one";
export const PAGE_END = "Where this page ends";

export const list = <Row extends z.ZodType>(row: Row, most = 200) =>
  z.object({
    success,
    data: z.array(row).describe("The answer itself"),
    pagination: z
      .object({
        limit: wholeNumber(1, most).describe("Number of rows that a page holds at most"),
        nextCursor: z.string().nullable().describe(NEXT_CURSOR),
      })
      .describe(PAGE_END),
  });

/** A POST without fields accepts no body, or an empty object. */
export const noBody = z.strictObject({}).nullish();

/** Rows in a page; `most` is the highest allowed limit. */
export function pageLimit(most: number) {
  const message = `Must be a whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}$/, message)
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, { message })
    .meta({ type: "integer", minimum: 1, maximum: most, default: 50, pattern: undefined })
    .optional();
}

/** `limit` and `cursor` of every list. */
export const pageFields = {
  limit: pageLimit(200).describe("Number of rows on a page"),
  cursor: z.string().max(512).optional().describe("The nextCursor of the page before"),
};

/** Time travel. */
export const asItStoodAt = instantInput.optional().describe("As it stood at this time: ISO 8601 with offset");

/** What is searched for. */
export const searchedText = text(3, 100).describe(
  "3 to 100 characters: digits of a number, or the beginning of a word of a name",
);

/** A record as everybody but its schema sees it: `DeepReadonly<z.infer<typeof callRecord>>`. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
