import { z } from "zod";
import type { VoicemailPolicy } from "../domain/call/events.ts";
import {
  answer,
  anyConnectionId,
  assistantId,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  greeting,
  idOf,
  instant,
  instructions,
  label,
  list,
  noBody,
  pageFields,
  reference,
  text,
  updatedAt,
  wholeNumber,
} from "./fields.ts";
import { outcomeSettings } from "./outcome.ts";
import { routes } from "./route.ts";

const POLICIES = ["hang_up", "leave_message", "ignore"] as const satisfies readonly VoicemailPolicy[];
const policy = z.enum(POLICIES);
const recording = z.enum(["on", "off"]).nullable();
const maxDurationSeconds = wholeNumber(10, 7200);
const silenceTimeoutSeconds = wholeNumber(3, 60);
const endSilenceMs = wholeNumber(200, 2000);
const optOut = z.enum(["listen", "off"]);
const optOutDigit = z.string().regex(/^[0-9*]$/, "Must be one of 0 to 9, or *");
const optOutMessage = text(1, 500);
const words = z.string().nullable();

const temperature = z
  .number()
  .refine((value) => value >= 0 && value <= 2, { message: "Must be from 0 to 2" })
  .meta({ minimum: 0, maximum: 2 });

const toolIds = z
  .array(reference)
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, { message: "Must not name a tool twice" });

const callback = z
  .strictObject({
    maxDays: wholeNumber(1, 60)
      .default(14)
      .describe("The last day that may be agreed, in days after the call (default 14)"),
    maxPerContact: wholeNumber(1, 5)
      .default(2)
      .describe("Number of calls that a contact of a campaign may agree (default 2)"),
  })
  .meta({ id: "CallbackSettings", examples: [{ maxDays: 14, maxPerContact: 2 }] });

type Field = { readonly given: z.ZodType; readonly kept: z.ZodType };

/** A field as a request gives it, and as a record then has it. */
const field = <Given extends z.ZodType, Kept extends z.ZodType>(
  given: Given,
  kept: Kept,
  description: string,
) => ({ given: given.describe(description), kept: kept.describe(description) });

/** The fields that publish freezes. What a request leaves out is as `DEFAULT_ASSISTANT` has it. */
export const assistantFields = {
  name: field(label, z.string(), "Name of the assistant"),
  greetingMessage: field(greeting, z.string(), "The first words of a call; at most 4 KiB"),
  systemPrompt: field(instructions, z.string(), "Who the assistant is and what it does; at most 32 KiB"),
  model: field(label.nullable().optional(), words, "Name of the language model; null: the installation's"),
  temperature: field(
    temperature.nullable().optional(),
    z.number().nullable(),
    "How freely the model speaks, from 0 (always alike) to 2; null: the model's own",
  ),
  voice: field(label.nullable().optional(), words, "Name of the voice; null: the default one"),
  language: field(label.nullable().optional(), words, "Language spoken, for example tr-TR; null: not set"),
  toolIds: field(toolIds.optional(), z.array(idOf("tool")), "Ids of the tools that it may use"),
  maxDurationSeconds: field(
    maxDurationSeconds.optional(),
    maxDurationSeconds,
    "Seconds after the answer at which the call is ended (default 600)",
  ),
  voicemailPolicy: field(policy.optional(), policy, "What to do when a machine answers (default hang_up)"),
  voicemailMessage: field(
    greeting.nullable().optional(),
    words,
    "What is said to a machine with leave_message; null: nothing",
  ),
  modelConnectionId: field(
    reference.nullable().optional(),
    anyConnectionId.nullable(),
    "Id of a connection of kind model; null: the installation's model",
  ),
  fallbackMessage: field(
    greeting.nullable().optional(),
    words,
    "What is said when the model fails; at most 4 KiB; null: a line of the language's own",
  ),
  silenceTimeoutSeconds: field(
    silenceTimeoutSeconds.optional(),
    silenceTimeoutSeconds,
    "Seconds of silence after which the assistant speaks again; the third time the call ends (default 8)",
  ),
  endSilenceMs: field(
    endSilenceMs.optional(),
    endSilenceMs,
    "Thousandths of seconds of silence by which the customer has finished (default 500)",
  ),
  interruptible: field(
    z.boolean().optional(),
    z.boolean(),
    "false: the customer cannot cut the assistant short (default true)",
  ),
  recording: field(
    recording.optional(),
    recording,
    "Whether calls are recorded; null: not set, which is off except for simulated calls",
  ),
  recordingNotice: field(
    greeting.nullable().optional(),
    words,
    "What is said before the greeting, for example that the call is recorded; null: nothing",
  ),
  optOut: field(
    optOut.optional(),
    optOut,
    "listen: who says never to be called again goes on the do-not-call list (default); off: nobody listens",
  ),
  optOutDigit: field(
    optOutDigit.nullable().optional(),
    words,
    "The key, 0 to 9 or *, that alone asks never to be called again; null: none",
  ),
  optOutMessage: field(
    optOutMessage.nullable().optional(),
    words,
    "What is said to whoever asks that, 1 to 500 characters; null: a line of the language's own",
  ),
  outcome: field(
    outcomeSettings.nullable().optional(),
    outcomeSettings.nullable(),
    "What its calls are asked for after their end, at most 16 KiB as JSON; null: nothing (default)",
  ),
  callback: field(
    callback.nullable().optional(),
    callback.nullable(),
    "Whether who is called may agree when to be called again; null: no (default)",
  ),
} satisfies Readonly<Record<string, Field>>;

type Side<Name extends keyof Field> = {
  readonly [Of in keyof typeof assistantFields]: (typeof assistantFields)[Of][Name];
};

function side<Name extends keyof Field>(name: Name): Side<Name> {
  return Object.fromEntries(
    Object.entries<Field>(assistantFields).map(([of, both]) => [of, both[name]]),
  ) as Side<Name>;
}

const given = side("given");
const kept = side("kept");

const EXAMPLE = {
  name: "Ada",
  greetingMessage: "Hello, this is Ada from Ringfold.",
  systemPrompt: "You remind people of their appointments, kindly and briefly.",
  maxDurationSeconds: 300,
  voicemailPolicy: "hang_up",
};

/** Not frozen: it says how the next version comes about. */
const publishNeedsRehearsal = z
  .boolean()
  .describe("true: it is published only with a rehearsal that its draft has passed (default false)");

const assistantBody = z
  .strictObject({ ...given, publishNeedsRehearsal: publishNeedsRehearsal.optional() })
  .meta({ id: "AssistantRequest", examples: [EXAMPLE] });
export type AssistantBody = z.output<typeof assistantBody>;

const changeAssistantBody = z
  .strictObject({
    ...given,
    name: given.name.optional(),
    greetingMessage: given.greetingMessage.optional(),
    systemPrompt: given.systemPrompt.optional(),
    publishNeedsRehearsal: publishNeedsRehearsal.optional(),
  })
  .meta({ id: "AssistantChanges", examples: [{ temperature: 0.4 }] });

const publishBody = z
  .strictObject({
    rehearsalId: reference
      .nullish()
      .describe(
        "Id of a rehearsal in which every run of this very draft passed; needed with publishNeedsRehearsal",
      ),
  })
  .meta({ id: "PublishRequest" })
  .nullish()
  .meta({ examples: [{ rehearsalId: "rhl_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });

export const assistantRecord = z
  .object({
    id: idOf("ast").describe("Id of the assistant"),
    ...kept,
    publishNeedsRehearsal,
    publishedVersion: z
      .number()
      .meta({ type: "integer" })
      .nullable()
      .describe("Version that calls use, counted from 1; null: it is not published"),
    versions: z.number().meta({ type: "integer" }).describe("Number of versions published so far"),
    createdAt,
    updatedAt,
  })
  .meta({
    id: "Assistant",
    examples: [
      {
        id: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
        ...EXAMPLE,
        model: null,
        temperature: null,
        voice: null,
        language: null,
        toolIds: [],
        voicemailMessage: null,
        modelConnectionId: null,
        fallbackMessage: null,
        silenceTimeoutSeconds: 8,
        endSilenceMs: 500,
        interruptible: true,
        recording: null,
        recordingNotice: null,
        optOut: "listen",
        optOutDigit: null,
        optOutMessage: null,
        outcome: null,
        callback: null,
        publishNeedsRehearsal: false,
        publishedVersion: 1,
        versions: 1,
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });
export type AssistantRecord = DeepReadonly<z.infer<typeof assistantRecord>>;

/** A frozen draft. */
export const assistantVersionRecord = z
  .object({
    assistantId,
    version: z.number().meta({ type: "integer" }).describe("Number of this version, counted from 1"),
    ...kept,
    publishedAt: instant.describe("When it was published; ISO 8601, UTC"),
  })
  .meta({ id: "AssistantVersion" });
export type AssistantVersionRecord = DeepReadonly<z.infer<typeof assistantVersionRecord>>;

const scope = "assistants:*";
const errors = ["ASSISTANT_NOT_FOUND"] as const;
const UNKNOWN_IN_BODY = ["TOOL_NOT_FOUND@400", "CONNECTION_NOT_FOUND@400"] as const;

export const assistantRoutes = routes({
  listAssistants: {
    method: "GET",
    path: "/api/v1/assistants",
    tag: "assistants",
    summary: "Assistants, newest first",
    scope,
    query: z.object(pageFields),
    answers: { 200: list(assistantRecord) },
  },
  getAssistant: {
    method: "GET",
    path: "/api/v1/assistants/:id",
    tag: "assistants",
    summary: "One assistant: its draft, and which version is published",
    scope,
    answers: { 200: answer(assistantRecord) },
    errors,
  },
  createAssistant: {
    method: "POST",
    path: "/api/v1/assistants",
    tag: "assistants",
    summary: "Creates an assistant, not published yet",
    scope,
    body: assistantBody,
    answers: { 201: answer(assistantRecord) },
    errors: UNKNOWN_IN_BODY,
    idempotent: true,
  },
  changeAssistant: {
    method: "PATCH",
    path: "/api/v1/assistants/:id",
    tag: "assistants",
    summary: "Changes the draft; what is published stays as it is",
    scope,
    body: changeAssistantBody,
    answers: { 200: answer(assistantRecord) },
    errors: [...errors, ...UNKNOWN_IN_BODY],
  },
  deleteAssistant: {
    method: "DELETE",
    path: "/api/v1/assistants/:id",
    tag: "assistants",
    summary: "Deletes an assistant that no squad uses",
    description:
      "503 `NOT_READY` while the read model of squads is being built: nobody knows then whether one uses it.",
    scope,
    answers: { 200: answer(deletedRecord("ast")) },
    errors: [...errors, "ASSISTANT_IN_USE"],
  },
  publishAssistant: {
    method: "POST",
    path: "/api/v1/assistants/:id/publish",
    tag: "assistants",
    summary: "Freezes the draft as the next version",
    description:
      "409 `REHEARSAL_NOT_PASSED`: with `rehearsalId`, unless that rehearsal is done, played this assistant's draft as it is now, tools and their sample answers included, and every run of it passed. " +
      "409 `REHEARSAL_REQUIRED`: without one, where the assistant says `publishNeedsRehearsal`.",
    scope,
    body: publishBody,
    answers: { 200: answer(assistantRecord) },
    errors: [...errors, "REHEARSAL_REQUIRED", "REHEARSAL_NOT_PASSED"],
  },
  unpublishAssistant: {
    method: "POST",
    path: "/api/v1/assistants/:id/unpublish",
    tag: "assistants",
    summary: "No call begins with it any more",
    scope,
    body: noBody,
    answers: { 200: answer(assistantRecord) },
    errors,
  },
  listAssistantVersions: {
    method: "GET",
    path: "/api/v1/assistants/:id/versions",
    tag: "assistants",
    summary: "Published versions, newest first",
    scope,
    query: z.object(pageFields),
    answers: { 200: list(assistantVersionRecord) },
    errors,
  },
});
