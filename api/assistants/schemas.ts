import { z } from "zod";
import {
  greeting,
  idOf,
  instant,
  instructions,
  label,
  reference,
  wholeNumber,
} from "../../contract/fields.ts";

const RECORDING = ["on", "off"] as const;
const POLICIES = ["hang_up", "leave_message", "ignore"] as const;

export const temperature = z
  .number()
  .refine((value) => value >= 0 && value <= 2, { message: "Must be from 0 to 2" })
  .meta({ minimum: 0, maximum: 2 })
  .nullable()
  .optional();

const draft = {
  name: label,
  greetingMessage: greeting,
  systemPrompt: instructions,
  model: label.nullable().optional(),
  temperature,
  voice: label.nullable().optional(),
  language: label.nullable().optional(),
  toolIds: z
    .array(reference)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, { message: "Must not name a tool twice" })
    .optional(),
  maxDurationSeconds: wholeNumber(10, 7200).optional(),
  voicemailPolicy: z.enum(POLICIES).optional(),
  voicemailMessage: greeting.nullable().optional(),
  modelConnectionId: reference.nullable().optional(),
  fallbackMessage: greeting.nullable().optional(),
  silenceTimeoutSeconds: wholeNumber(3, 60).optional(),
  endSilenceMs: wholeNumber(200, 2000).optional(),
  interruptible: z.boolean().optional(),
  recording: z.enum(RECORDING).nullable().optional(),
  recordingNotice: greeting.nullable().optional(),
};

const EXAMPLE = {
  name: "Ada",
  greetingMessage: "Hello, this is Ada from Ringfold.",
  systemPrompt: "You remind people of their appointments, kindly and briefly.",
  maxDurationSeconds: 300,
  voicemailPolicy: "hang_up",
};

export const assistantBody = z.strictObject(draft).meta({ id: "AssistantRequest", examples: [EXAMPLE] });
export type AssistantBody = z.infer<typeof assistantBody>;

export const changeAssistantBody = z
  .strictObject({
    ...draft,
    name: draft.name.optional(),
    greetingMessage: draft.greetingMessage.optional(),
    systemPrompt: draft.systemPrompt.optional(),
  })
  .meta({ id: "AssistantChanges", examples: [{ temperature: 0.4 }] });

const draftOut = {
  name: z.string(),
  greetingMessage: z.string(),
  systemPrompt: z.string(),
  model: z.string().nullable(),
  temperature: z.number().nullable(),
  voice: z.string().nullable(),
  language: z.string().nullable(),
  toolIds: z.array(idOf("tool")),
  maxDurationSeconds: wholeNumber(10, 7200),
  voicemailPolicy: z.enum(POLICIES),
  voicemailMessage: z.string().nullable(),
  modelConnectionId: z.string().nullable(),
  fallbackMessage: z.string().nullable(),
  silenceTimeoutSeconds: wholeNumber(3, 60),
  endSilenceMs: wholeNumber(200, 2000),
  interruptible: z.boolean(),
  recording: z.enum(RECORDING).nullable(),
  recordingNotice: z.string().nullable(),
};

export const assistant = z
  .object({
    id: idOf("ast"),
    ...draftOut,
    publishedVersion: z.number().meta({ type: "integer" }).nullable(),
    versions: z.number().meta({ type: "integer" }),
    createdAt: instant,
    updatedAt: instant,
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
        publishedVersion: 1,
        versions: 1,
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });

export const assistantVersion = z
  .object({
    assistantId: idOf("ast"),
    version: z.number().meta({ type: "integer" }),
    ...draftOut,
    publishedAt: instant,
  })
  .meta({ id: "AssistantVersion" });

export const assistantDeleted = z.object({ id: idOf("ast"), deleted: z.literal(true) });
