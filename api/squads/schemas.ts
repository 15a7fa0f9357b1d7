import { z } from "zod";
import {
  anyObject,
  idOf,
  instant,
  instructions,
  KIB,
  label,
  longText,
  reference,
  text,
  wholeNumber,
} from "../../contract/fields.ts";
import { overrideSettings } from "./override-settings.ts";

const description = longText(4 * KIB).nullable();
const CONTEXT_MODES = ["all", "last_n", "user_and_assistant", "previous", "none"] as const;

export const memberBody = z
  .strictObject({
    assistantId: reference,
    isEntry: z.boolean().optional(),
    position: wholeNumber(0, 1_000_000).optional(),
    overrideSettings: overrideSettings.optional(),
    assistantVersion: wholeNumber(1, 1_000_000_000).nullable().optional(),
  })
  .meta({
    id: "SquadMemberRequest",
    examples: [{ assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5", isEntry: true }],
  });

const memberChanges = {
  isEntry: z.boolean().optional(),
  position: wholeNumber(0, 1_000_000).optional(),
  overrideSettings: overrideSettings.optional(),
  assistantVersion: wholeNumber(1, 1_000_000_000).nullable().optional(),
};

/** `memberId` names the item if neither path nor query does. */
export const changeMemberBody = z
  .strictObject({ memberId: reference.optional(), ...memberChanges })
  .meta({ id: "SquadMemberChanges", examples: [{ position: 2 }] });

const toolName = z
  .string()
  .regex(/^handoff_to_[a-z0-9_]{1,60}$/, "Must be handoff_to_ followed by up to 60 of a-z, 0-9 and _");

const variable = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "Must be a name of letters, digits and _"),
  type: z.enum(["string", "number", "boolean"]),
  description: text(0, 1024),
  required: z.boolean(),
});

const handoffChanges = {
  description: instructions.optional(),
  toolName: toolName.optional(),
  message: longText(4 * KIB)
    .nullable()
    .optional(),
  contextMode: z.enum(CONTEXT_MODES).optional(),
  contextMaxMessages: wholeNumber(1, 10_000).nullable().optional(),
  variables: z.array(variable).max(50).optional(),
  enabled: z.boolean().optional(),
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
    fromMemberId: reference.optional(),
    fromAssistantId: reference.optional(),
    toMemberId: reference.optional(),
    toAssistantId: reference.optional(),
    ...handoffChanges,
    description: instructions,
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

export type HandoffBody = z.infer<typeof handoffBody>;
export type MemberBody = z.infer<typeof memberBody>;

export const changeHandoffBody = z
  .strictObject({ handoffId: reference.optional(), ...handoffChanges })
  .meta({ id: "HandoffChanges", examples: [{ enabled: false }] });

export const removeMemberBody = z
  .strictObject({ memberId: reference.optional() })
  .nullish()
  .meta({ examples: [{ memberId: "mbr_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });
export const removeHandoffBody = z
  .strictObject({ handoffId: reference.optional() })
  .nullish()
  .meta({ examples: [{ handoffId: "hnd_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });

export const createSquadBody = z
  .strictObject({
    name: label,
    description: description.optional(),
    overrideSettings: overrideSettings.optional(),
    members: z.array(memberBody).max(100).optional(),
    handoffs: z.array(handoffBody).max(1000).optional(),
  })
  .meta({
    id: "SquadRequest",
    examples: [
      { name: "Reception", members: [{ assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5", isEntry: true }] },
    ],
  });

export const changeSquadBody = z
  .strictObject({
    name: label.optional(),
    description: description.optional(),
    overrideSettings: overrideSettings.optional(),
  })
  .meta({ id: "SquadChanges", examples: [{ description: "First line" }] });

export const member = z
  .object({
    id: idOf("mbr"),
    squadId: idOf("sqd"),
    assistantId: idOf("ast"),
    assistantVersion: z.number().meta({ type: "integer" }).nullable(),
    isEntry: z.boolean(),
    position: z.number().meta({ type: "integer" }),
    overrideSettings: anyObject,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "SquadMember" });

export const handoff = z
  .object({
    id: idOf("hnd"),
    squadId: idOf("sqd"),
    fromMemberId: idOf("mbr"),
    toMemberId: idOf("mbr"),
    fromAssistantId: idOf("ast"),
    toAssistantId: idOf("ast"),
    toolName: z.string(),
    description: z.string(),
    message: z.string().nullable(),
    contextMode: z.enum(CONTEXT_MODES),
    contextMaxMessages: z.number().meta({ type: "integer" }).nullable(),
    variables: z.array(
      z.object({
        name: z.string(),
        type: z.enum(["string", "number", "boolean"]),
        description: z.string(),
        required: z.boolean(),
      }),
    ),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Handoff" });

export const squad = z
  .object({
    id: idOf("sqd"),
    name: z.string(),
    description: z.string().nullable(),
    overrideSettings: anyObject,
    members: z.array(member),
    handoffs: z.array(handoff),
    userId: idOf("usr"),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Squad",
    examples: [
      {
        id: "sqd_01k4b2s9h3e8t9v0w1x2y3z4a5",
        name: "Reception",
        description: null,
        overrideSettings: {},
        members: [],
        handoffs: [],
        userId: "usr_01k4b2s9h3e8t9v0w1x2y3z4a5",
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });

export const deleted = z.object({ id: z.string(), deleted: z.literal(true) });

/** Removing a member removes its links, and the answer names them. */
export const memberDeleted = z.object({
  id: idOf("mbr"),
  deleted: z.literal(true),
  removedHandoffIds: z.array(idOf("hnd")),
  newEntryMemberId: idOf("mbr").nullable(),
});
