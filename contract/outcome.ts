import { z } from "zod";
import type { AnalysisFailure } from "../domain/call/events.ts";
import { OUTCOME_TYPES, type OutcomeField, type OutcomeSettings } from "../domain/outcome/settings.ts";
import { fitsUtf8 } from "../domain/shared/utf8.ts";
import { count, type DeepReadonly, instant, KIB } from "./fields.ts";

const NAME = /^[a-z][A-Za-z0-9_]{0,39}$/;
const MOST_BYTES = 16 * KIB;

export const outcomeName = z
  .string()
  .regex(NAME, "Must be 1 to 40 letters, digits or _, and begin with a small letter")
  .refine((value) => !NAME.test(value) || !(value in Object.prototype), {
    message: "Must not be a name that objects have",
  });

/** Every byte of these is sent to the model with each analysis. */
function words(bytes: number) {
  return z
    .string()
    .refine((value) => value !== "" && fitsUtf8(value, bytes), `Must have 1 to ${bytes} bytes`)
    .meta({ minLength: 1, maxLength: bytes });
}

const values = z
  .array(words(60))
  .min(2, "Must have 2 to 20 values")
  .max(20, "Must have 2 to 20 values")
  .refine((all) => new Set(all).size === all.length, { message: "Must not have a value twice" });

const outcomeField = z
  .strictObject({
    name: outcomeName.describe("Its name in the record and in exports"),
    type: z.enum(OUTCOME_TYPES).describe("What a value may be"),
    description: words(500).describe("What the value says; the model reads it"),
    values: values.exactOptional().describe("What an enum may be: 2 to 20; of no other type"),
  })
  .superRefine(({ type, values: given }, context) => {
    if (type === "enum" && given === undefined)
      context.addIssue({ code: "custom", path: ["values"], message: "An enum needs its values" });
    if (type !== "enum" && given !== undefined)
      context.addIssue({ code: "custom", path: ["values"], message: "Only an enum has values" });
  });

/** What an assistant's calls are asked for after their end. */
export const outcomeSettings = z
  .strictObject({
    summary: z.boolean().default(false).describe("Whether a summary is written (default false)"),
    fields: z.array(outcomeField).max(20).describe("Up to 20 values, each proven by what was said"),
    success: z
      .strictObject({
        field: z.string().describe("Name of a boolean or enum field"),
        in: z
          .array(z.union([z.boolean(), z.string()]))
          .min(1, "Must have 1 to 20 values")
          .max(20, "Must have 1 to 20 values")
          .describe("Values that are a success"),
      })
      .nullable()
      .default(null)
      .describe("When a call succeeded; null: nobody says"),
  })
  .superRefine((settings, context) => {
    for (const { path, message } of problems(settings)) context.addIssue({ code: "custom", path, message });
  })
  .meta({
    id: "OutcomeSettings",
    examples: [
      {
        summary: true,
        fields: [{ name: "confirmed", type: "boolean", description: "Whether the appointment is kept" }],
        success: { field: "confirmed", in: [true] },
      },
    ],
  });

type Problem = { readonly path: (string | number)[]; readonly message: string };

function problems(settings: OutcomeSettings): readonly Problem[] {
  const { summary, fields, success } = settings;
  if (!fitsUtf8(JSON.stringify(settings), MOST_BYTES))
    return [{ path: [], message: `Must have at most ${MOST_BYTES / KIB} KiB as JSON` }];
  if (!summary && fields.length === 0)
    return [{ path: ["fields"], message: "Must have a field or a summary" }];
  const twice = fields.flatMap(({ name: each }, index) =>
    fields.findIndex((other) => other.name === each) < index
      ? [{ path: ["fields", index, "name"], message: "Must not have a name twice" }]
      : [],
  );
  return success === null ? twice : [...twice, ...problemsOfSuccess(success, fields)];
}

function problemsOfSuccess(
  success: NonNullable<OutcomeSettings["success"]>,
  fields: readonly OutcomeField[],
): readonly Problem[] {
  const field = fields.find(({ name: each }) => each === success.field);
  if (field === undefined || (field.type !== "boolean" && field.type !== "enum"))
    return [{ path: ["success", "field"], message: "Must be the name of a boolean or enum field" }];
  return success.in.flatMap((value, index) => {
    const isOfIt = field.type === "boolean" ? typeof value === "boolean" : isValueOf(field, value);
    const isTwice = success.in.indexOf(value) < index;
    if (isOfIt && !isTwice) return [];
    return [
      {
        path: ["success", "in", index],
        message: isTwice ? "Must not have a value twice" : "Must be a value of the field",
      },
    ];
  });
}

function isValueOf({ values: all = [] }: OutcomeField, value: boolean | string): boolean {
  return typeof value === "string" && all.includes(value);
}

export const FAILURES = [
  "model_unavailable",
  "not_valid",
  "gave_up",
] as const satisfies readonly AnalysisFailure[];

const fields = z
  .record(z.string(), z.union([z.boolean(), z.string(), z.number(), z.null()]))
  .describe("Values by name of the field; null: the call does not prove one; empty unless ready");
const success = z
  .boolean()
  .nullable()
  .describe("Whether the call succeeded as its assistant says; null: unknown, or nobody says");
const tokens = z.number().meta({ type: "integer", minimum: 0 }).nullable();

const told = {
  status: z
    .enum(["none", "pending", "ready", "failed", "erased"])
    .describe("none: nobody has asked, or the call is not over; erased: with the words of the call"),
  fields,
  unsupported: z
    .array(z.string())
    .describe("Names of fields whose answer nothing said on the call proves, or that does not fit"),
  success,
  model: z
    .object({
      name: z.string().describe("Name of the model"),
      inputTokens: tokens.describe("Number of tokens that it read; null: it does not count them"),
      outputTokens: tokens.describe("Number of tokens that it wrote; null: it does not count them"),
    })
    .nullable()
    .describe("The model that answered; null unless ready"),
  analysedAt: instant.nullable().describe("When it was answered; ISO 8601, UTC; null unless ready"),
  pending: z.boolean().describe("An analysis has been asked for and has no answer yet"),
  lastFailure: z
    .object({
      reason: z.enum(FAILURES).describe("Why there is no answer"),
      tries: count.describe("Number of times that the model was asked"),
      at: instant.describe("When it was given up; ISO 8601, UTC"),
    })
    .nullable()
    .describe("The last analysis, if it failed; null: it did not, or there is none"),
};

export const EXAMPLE_LISTED_OUTCOME = {
  status: "ready",
  fields: { confirmed: true },
  unsupported: [],
  success: true,
  model: { name: "scripted", inputTokens: null, outputTokens: null },
  analysedAt: "2026-09-01T10:00:50.000Z",
  pending: false,
  lastFailure: null,
};
export const EXAMPLE_OUTCOME = {
  ...EXAMPLE_LISTED_OUTCOME,
  evidence: { confirmed: [1] },
  summary: "The appointment is kept.",
};

/** In lists. */
export const listedOutcome = z
  .object(told)
  .meta({ id: "CallListOutcome", examples: [EXAMPLE_LISTED_OUTCOME] });
export type ListedOutcome = DeepReadonly<z.infer<typeof listedOutcome>>;

const proven = {
  evidence: z
    .record(z.string(), z.array(count))
    .describe("Numbers of the messages, counted from 0, that prove a value, by name of the field"),
  summary: z.string().nullable().describe("The call in some sentences; null: nobody asks for it"),
};

/** What one analysis stores. */
export const ANALYSED = {
  fields,
  ...proven,
  unsupported: told.unsupported,
  success,
  model: told.model,
};

/** What a call brought home, by the latest analysis that succeeded. */
export const callOutcome = z
  .object({ ...told, ...proven })
  .meta({ id: "CallOutcome", examples: [EXAMPLE_OUTCOME] });
export type CallOutcome = DeepReadonly<z.infer<typeof callOutcome>>;

export const contactOutcome = z
  .object({ success, fields })
  .nullable()
  .describe("Of its last answered call; null: nothing is known (yet)");
export type ContactOutcome = DeepReadonly<z.infer<typeof contactOutcome>>;
