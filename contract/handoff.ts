import { z } from "zod";
import type { ContextMode } from "../domain/squad/events.ts";
import {
  answer,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  idOf,
  instructions,
  KIB,
  longText,
  reference,
  text,
  updatedAt,
  wholeNumber,
} from "./fields.ts";
import { routes } from "./route.ts";

const CONTEXT_MODES = [
  "all",
  "last_n",
  "user_and_assistant",
  "previous",
  "none",
] as const satisfies readonly ContextMode[];
const VARIABLE_TYPES = ["string", "number", "boolean"] as const;

const DESCRIPTION = "When to hand over, for the assistant to judge";
const TOOL_NAME = "Name under which the assistant sees it: handoff_to_ and a word";
const MESSAGE = "What is said before; null: nothing";
const CONTEXT_MAX = "Number of messages that it gets with last_n; null: not set";
const VARIABLES = "What has to be known for the next assistant";
const VARIABLE_NAME = "Name of the variable";
const VARIABLE_DESCRIPTION = "What it means, for the assistant to find it";
const FROM_MEMBER = "Id of the member that hands over";
const FROM_ASSISTANT = "Id of the assistant that hands over";
const TO_MEMBER = "Id of the member that takes over";
const TO_ASSISTANT = "Id of the assistant that takes over";

const contextMode = z.enum(CONTEXT_MODES).describe("How much of the conversation the next assistant gets");
const enabled = z.boolean().describe("false: it is not used");
const type = z.enum(VARIABLE_TYPES).describe("What its value is");
const required = z.boolean().describe("true: no hand-over without it");

const toolName = z
  .string()
  .regex(/^handoff_to_[a-z0-9_]{1,60}$/, "Must be handoff_to_ followed by up to 60 of a-z, 0-9 and _");

const variable = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "Must be a name of letters, digits and _")
    .describe(VARIABLE_NAME),
  type,
  description: text(0, 1024).describe(VARIABLE_DESCRIPTION),
  required,
});

const description = instructions.describe(DESCRIPTION);
const handoffChanges = {
  description: description.optional(),
  toolName: toolName.describe(TOOL_NAME).optional(),
  message: longText(4 * KIB)
    .nullable()
    .describe(MESSAGE)
    .optional(),
  contextMode: contextMode.optional(),
  contextMaxMessages: wholeNumber(1, 10_000).nullable().describe(CONTEXT_MAX).optional(),
  variables: z.array(variable).max(50).describe(VARIABLES).optional(),
  enabled: enabled.optional(),
};

type Ends = Readonly<Record<"fromMemberId" | "fromAssistantId" | "toMemberId" | "toAssistantId", unknown>>;

/** Exactly one name for each end. */
const oneOf = (end: "from" | "to") => (body: unknown) => {
  if (typeof body !== "object" || body === null) return true;
  const given: Partial<Ends> = body;
  return (given[`${end}MemberId`] === undefined) !== (given[`${end}AssistantId`] === undefined);
};
const endRule = (end: "from" | "to") => ({
  message: `Name it by ${end}AssistantId or ${end}MemberId, one of the two`,
  path: [`${end}AssistantId`],
  when: () => true,
});

export const handoffBody = z
  .strictObject({
    fromMemberId: reference.describe(FROM_MEMBER).optional(),
    fromAssistantId: reference.describe(FROM_ASSISTANT).optional(),
    toMemberId: reference.describe(TO_MEMBER).optional(),
    toAssistantId: reference.describe(TO_ASSISTANT).optional(),
    ...handoffChanges,
    description,
  })
  .refine(oneOf("from"), endRule("from"))
  .refine(oneOf("to"), endRule("to"))
  .meta({
    id: "HandoffRequest",
    examples: [
      {
        fromAssistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
        toAssistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a6",
        description: "When the customer asks about an invoice",
      },
    ],
  });
export type HandoffBody = z.output<typeof handoffBody>;

/** `handoffId` names the handoff if neither path nor query does. */
const changeHandoffBody = z
  .strictObject({
    handoffId: reference.describe("Id of the handoff; needed when the path does not name it").optional(),
    ...handoffChanges,
  })
  .meta({ id: "HandoffChanges", examples: [{ enabled: false }] });
export type HandoffChanges = z.output<typeof changeHandoffBody>;

const removeHandoffBody = z
  .strictObject({
    handoffId: reference.describe("Id of the handoff; needed when the query does not name it").optional(),
  })
  .nullish()
  .meta({ examples: [{ handoffId: "hnd_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });

export const handoffRecord = z
  .object({
    id: idOf("hnd").describe("Id of the handoff"),
    squadId: idOf("sqd").describe("Id of its squad"),
    fromMemberId: idOf("mbr").describe(FROM_MEMBER),
    toMemberId: idOf("mbr").describe(TO_MEMBER),
    fromAssistantId: idOf("ast").describe(FROM_ASSISTANT),
    toAssistantId: idOf("ast").describe(TO_ASSISTANT),
    toolName: z.string().describe(TOOL_NAME),
    description: z.string().describe(DESCRIPTION),
    message: z.string().nullable().describe(MESSAGE),
    contextMode,
    contextMaxMessages: z.number().meta({ type: "integer" }).nullable().describe(CONTEXT_MAX),
    variables: z
      .array(
        z.object({
          name: z.string().describe(VARIABLE_NAME),
          type,
          description: z.string().describe(VARIABLE_DESCRIPTION),
          required,
        }),
      )
      .describe(VARIABLES),
    enabled,
    createdAt,
    updatedAt,
  })
  .meta({ id: "Handoff" });
export type HandoffRecord = DeepReadonly<z.infer<typeof handoffRecord>>;

const deletedHandoff = deletedRecord("hnd").extend({ id: z.string().describe("Id of what is gone") });

const scope = "squads:write";
const errors = ["SQUAD_NOT_FOUND", "HANDOFF_NOT_FOUND"] as const;
const namedErrors = [...errors, "HANDOFF_NOT_FOUND@400"] as const;
const query = z.object({ handoffId: z.string().max(64).describe("Id of the handoff").optional() });

export const handoffRoutes = routes({
  addHandoff: {
    method: "POST",
    path: "/api/v1/squads/:id/handoffs",
    tag: "squads",
    summary: "Links two members",
    scope,
    body: handoffBody,
    answers: { 201: answer(handoffRecord) },
    errors: ["SQUAD_NOT_FOUND", "HANDOFF_EXISTS", "SQUAD_LIMIT_REACHED"],
    idempotent: true,
  },
  changeHandoff: {
    method: "PATCH",
    path: "/api/v1/squads/:id/handoffs",
    tag: "squads",
    summary: "Changes the handoff named by handoffId",
    scope,
    query,
    body: changeHandoffBody,
    answers: { 200: answer(handoffRecord) },
    errors: [...namedErrors, "SQUAD_LIMIT_REACHED"],
  },
  changeHandoffById: {
    method: "PATCH",
    path: "/api/v1/squads/:id/handoffs/:handoffId",
    tag: "squads",
    summary: "Changes a handoff",
    scope,
    body: changeHandoffBody,
    answers: { 200: answer(handoffRecord) },
    errors: [...errors, "SQUAD_LIMIT_REACHED"],
  },
  removeHandoff: {
    method: "DELETE",
    path: "/api/v1/squads/:id/handoffs",
    tag: "squads",
    summary: "Removes the handoff named by handoffId",
    scope,
    query,
    body: removeHandoffBody,
    answers: { 200: answer(deletedHandoff) },
    errors: namedErrors,
  },
  removeHandoffById: {
    method: "DELETE",
    path: "/api/v1/squads/:id/handoffs/:handoffId",
    tag: "squads",
    summary: "Removes a handoff",
    scope,
    answers: { 200: answer(deletedHandoff) },
    errors,
  },
});
