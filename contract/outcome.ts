import { z } from "zod";
import { OUTCOME_TYPES, type OutcomeField, type OutcomeSettings } from "../domain/outcome/settings.ts";
import { fitsUtf8 } from "../domain/shared/utf8.ts";
import { KIB } from "./fields.ts";

const NAME = /^[a-z][A-Za-z0-9_]{0,39}$/;
const MOST_BYTES = 16 * KIB;

const name = z
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
  .min(2)
  .max(20)
  .refine((all) => new Set(all).size === all.length, { message: "Must not have a value twice" });

const outcomeField = z
  .strictObject({
    name: name.describe("Its name in the record and in exports"),
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
          .min(1)
          .max(20)
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
