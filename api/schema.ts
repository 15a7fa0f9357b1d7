import type { Readable } from "node:stream";
import { z } from "zod";
import { type ZoneProblem, zoneProblem } from "../domain/campaign/window/taken-zone.ts";
import { type Instant, parseInstant } from "../domain/shared/instant.ts";
import type { JsonObject } from "../domain/shared/json.ts";
import { type PhoneNumber, parsePhoneNumber } from "../domain/shared/phone-number.ts";

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
    .refine((value) => Buffer.byteLength(value) <= maxBytes, {
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
    .custom<Record<string, unknown>>(isObject, "Must be an object")
    .refine((value) => !isObject(value) || Buffer.byteLength(JSON.stringify(value)) <= maxBytes, {
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
    const instant = isDate(value.slice(0, 10)) ? parseInstant(value) : null;
    if (instant !== null) return instant;
    context.issues.push({
      code: "custom",
      input: value,
      message: "Must be an ISO 8601 time with its offset, for example 2026-09-01T10:00:00.000Z",
    });
    return z.NEVER;
  })
  .meta({ format: "date-time", examples: ["2026-09-01T10:00:00.000Z"] });

/** A date of a calendar, without a zone. */
export const isoDate = z
  .string()
  .refine(isDate, { message: "Must be a date, for example 2026-12-25" })
  .meta({ format: "date", examples: ["2026-12-25"] });

function isDate(value: string): boolean {
  const millis = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(value);
}

/** A time in an answer. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time" });

/** Bytes of an answer that is not JSON. */
export const bytes = z.custom<Buffer | Readable>().meta({ type: "string", format: "binary" });

/** An id in an answer. */
export const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`));

export const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);

/** A parsed JSON object, for the events; absent or null: empty. */
export function jsonObject(value: Record<string, unknown> | null | undefined): JsonObject {
  return (value ?? {}) as JsonObject;
}

/** Any JSON object in an answer. */
export const anyObject = z.record(z.string(), z.unknown());

export const answer = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });

export const list = <Row extends z.ZodType>(row: Row, most = 200) =>
  z.object({
    success: z.literal(true),
    data: z.array(row),
    pagination: z.object({
      limit: wholeNumber(1, most).describe("Number of rows that a page holds at most"),
      nextCursor: z.string().nullable(),
    }),
  });

/** A POST without fields accepts no body, or an empty object. */
export const noBody = z.strictObject({}).nullish();
