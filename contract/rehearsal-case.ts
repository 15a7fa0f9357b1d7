import { z } from "zod";
import { hasWords } from "../domain/rehearsal/judge-run.ts";
import type { Expectation, ToolReply } from "../domain/rehearsal/rehearsal.ts";
import type { JsonObject } from "../domain/shared/json.ts";
import { fitsUtf8 } from "../domain/shared/utf8.ts";
import { endReason } from "./call.ts";
import {
  customObject,
  type DeepReadonly,
  greeting,
  instantInput,
  instructions,
  KIB,
  label,
  longText,
  reference,
  text,
  timezone,
  typed,
  wholeNumber,
} from "./fields.ts";
import { outcomeName } from "./outcome.ts";

/** A turn of the customer as it is given. */
export type GivenTurn =
  | string
  | { readonly keys: string }
  | { readonly silence: true }
  | { readonly machine: string };

export type GivenCaller =
  | { readonly says: readonly GivenTurn[] }
  | { readonly callId: string }
  | { readonly persona: string; readonly goal?: string };

type WithoutWhen<Reply> = Reply extends unknown ? Omit<Reply, "when"> : never;
export type GivenReply = WithoutWhen<ToolReply> & { readonly when?: JsonObject };

type Fields = { readonly [name: string]: z.ZodType };

/**
 * An object with exactly one of the fields, except that a companion goes with those that it names. One strict
 * object instead of a union: a problem then has its path.
 */
function oneOf<T>(fields: Fields, companions: { readonly [name: string]: readonly string[] } = {}) {
  const kinds = Object.keys(fields).filter((name) => !Object.hasOwn(companions, name));
  const shape = Object.entries(fields).map(([name, schema]) => [name, schema.exactOptional()]);
  const schema = z
    .strictObject(Object.fromEntries(shape))
    .superRefine((given, context) => {
      const named = kinds.filter((name) => Object.hasOwn(given, name));
      const wrong = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
      if (named.length !== 1) wrong([], `Must have exactly one of ${kinds.join(", ")}`);
      for (const [name, goesWith] of Object.entries(companions))
        if (Object.hasOwn(given, name) && !named.every((kind) => goesWith.includes(kind)))
          wrong([name], `Goes only with ${goesWith.join(", ")}`);
    })
    .meta({ minProperties: 1, maxProperties: Object.keys(companions).length === 0 ? 1 : 2 });
  return typed<T>(schema);
}

const wordsOnly = { message: "Must have a letter or a digit" };
const spoken = text(1, 500).refine(hasWords, wordsOnly);
const said = longText(4 * KIB).refine((words) => words.trim() !== "", { message: "Must not be empty" });
const keys = z.string().regex(/^[0-9*#]{1,32}$/, "Must be 1 to 32 of 0 to 9, * and #");

const turn = z.union(
  [
    said,
    oneOf<Exclude<GivenTurn, string>>({
      keys: keys.describe("Keys that the customer presses"),
      silence: z.literal(true).describe("The customer says nothing until the assistant speaks again"),
      machine: said.describe("Greeting of a voicemail, then its beep; only as the first turn"),
    }),
  ],
  { error: "Must be text, {keys}, {silence: true} or {machine}" },
);

const rehearsalCaller = oneOf<GivenCaller>(
  {
    says: z
      .array(turn)
      .max(50)
      .superRefine((turns, context) => {
        const place = turns.findIndex((each, index) => index > 0 && isMachine(each));
        if (place >= 0)
          context.addIssue({
            code: "custom",
            path: [place],
            message: "Only the first turn may be a machine",
          });
      })
      .describe(
        "The customer's turns, one by one, at most 50; then they hang up. A text of at most 4 KiB is said",
      ),
    callId: reference.describe(
      "Id of a call that is over: its customer is played again. Also needs the scope `calls:read`",
    ),
    persona: said.describe("Who a language model plays, at most 4 KiB; it may hang up"),
    goal: said.describe("What the persona wants of the call, at most 4 KiB"),
  },
  { goal: ["persona"] },
);

function isMachine(given: unknown): boolean {
  return typeof given === "object" && given !== null && "machine" in given;
}

const part = (description: string) => customObject(4 * KIB).describe(description);
const anAnswer = z
  .unknown()
  .refine((value) => fitsUtf8(JSON.stringify(value) ?? "", 4 * KIB), {
    message: "Must have at most 4 KiB as JSON",
  })
  .describe("What the tool answers: text, or any JSON, at most 4 KiB");

const reply = oneOf<GivenReply>(
  {
    answer: anAnswer,
    fails: z
      .enum(["timed_out", "failed"])
      .describe("`timed_out`: it does not answer within 8 seconds; `failed`: it cannot be used"),
    when: part("Only where these are among the arguments, compared as JSON; left out: always"),
  },
  { when: ["answer", "fails"] },
);

const replies = z
  .record(label, z.array(reply).min(1).max(50))
  .refine((all) => Object.keys(all).length <= 100, { message: "Must have at most 100 tools" });

const aValue = z.union([z.boolean(), z.number(), z.string().max(500), z.null()], {
  error: "Must be true, false, a number, text of at most 500 characters or null",
});

/** What must be so when a run is over. */
export const expectation = oneOf<Expectation>(
  {
    outcome: z
      .record(outcomeName, aValue)
      .refine((fields) => Object.keys(fields).length > 0, { message: "Must name a field" })
      .describe("Each of these fields of the outcome has this value; null: nothing proves one"),
    success: z.boolean().describe("Whether the outcome is a success"),
    says: spoken.describe(
      "The customer heard these words from the assistant: whole words, whatever their case, marks and punctuation",
    ),
    neverSays: z
      .array(spoken)
      .min(1)
      .max(50)
      .describe("The assistant said none of these, not even in words that were cut; 1 to 50"),
    tool: label.describe("Name of a tool that was used"),
    arguments: part("With these among its arguments, compared as JSON"),
    noTool: label.describe("Name of a tool that was not used"),
    handsOffTo: label.describe("Id of the member, or name of its assistant, that took over"),
    endReason: endReason.describe("Why the call ended"),
    optedOut: z.boolean().describe("Whether the customer asked never to be called again"),
    callback: z.boolean().describe("Whether a time was agreed to be called again"),
    turnsAtMost: wholeNumber(0, 100).describe("Number of turns of the customer, at most"),
  },
  { arguments: ["tool"] },
);
export const expectations = z.array(expectation).max(50);

const contact = z.strictObject({
  name: text(0, 255).nullish().describe("Fills {{name}}; null: none"),
  customData: customObject()
    .nullish()
    .describe("A JSON object, at most 16 KiB, whose values fill the placeholders"),
  timezone: timezone.nullish().describe("IANA time zone of the customer; null: UTC"),
});

export const passAt = z
  .number()
  .refine((value) => value >= 0 && value <= 1, { message: "Must be from 0 to 1" })
  .meta({ minimum: 0, maximum: 1 });
export const PASS_AT = "Share of its repeats, from 0 to 1, that must pass for a case to pass";

export const rehearsalCase = z
  .strictObject({
    name: label.describe("Its name, of no other case"),
    caller: rehearsalCaller.describe("The customer: written turns, a past call, or a persona"),
    fromCallId: reference
      .nullish()
      .describe("Id of the call that it was made from: when that is erased, this rehearsal is too"),
    at: instantInput
      .nullish()
      .describe("When the call is answered; ISO 8601 with offset; left out: when the past call was, or now"),
    contact: contact
      .nullish()
      .describe("Who is called; left out: whom the past call called, or nobody known"),
    greetingMessage: greeting
      .nullish()
      .describe("The first words, in place of the assistant's own; at most 4 KiB"),
    specialInstructions: instructions
      .nullish()
      .describe("Instructions for this call, besides the assistant's own; at most 32 KiB"),
    tools: replies
      .nullish()
      .describe(
        "What tools answer, by name: the first entry that fits, of 1 to 50. No tool is ever executed",
      ),
    expect: expectations.nullish().describe("What must be so at the end, at most 50; every one of them"),
    passAt: passAt.nullish().describe(`${PASS_AT}; left out: that of the rehearsal`),
    maxTurns: wholeNumber(1, 20)
      .default(10)
      .describe("Number of turns after which the customer hangs up (default 10)"),
  })
  .meta({ id: "RehearsalCase" });
/** As it is checked. */
export type RehearsalCaseBody = DeepReadonly<z.output<typeof rehearsalCase>>;
