import { z } from "zod";
import { assistantFields } from "./assistant.ts";
import {
  answer,
  anyObject,
  assistantId,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  greeting,
  idOf,
  reference,
  updatedAt,
  wholeNumber,
} from "./fields.ts";
import { routes } from "./route.ts";

const { model, temperature, voice, language } = assistantFields;

/** Settings of a squad or a member that replace those of an assistant (docs/api.md §6). */
export const overrideSettings = z
  .strictObject({
    model: model.given,
    temperature: temperature.given,
    voice: voice.given,
    language: language.given,
    greetingMessage: greeting.describe("The first words; at most 4 KiB").optional(),
  })
  .meta({ id: "OverrideSettings", examples: [{ voice: "warm", temperature: 0.2 }] });

export const OVERRIDES =
  "model, temperature, voice, language, greetingMessage: what is changed of the assistants'";
const MEMBER_OVERRIDES = `${OVERRIDES}; before the squad's`;
const IS_ENTRY = "true: this member speaks first; exactly one does";
const POSITION = "Place in the order of members; the lowest follows an entry that is removed";
const VERSION = "Version of the assistant, counted from 1; null: the latest published one";

const memberChanges = {
  isEntry: z.boolean().describe(IS_ENTRY).optional(),
  position: wholeNumber(0, 1_000_000).describe(POSITION).optional(),
  overrideSettings: overrideSettings.describe(MEMBER_OVERRIDES).optional(),
  assistantVersion: wholeNumber(1, 1_000_000_000).nullable().describe(VERSION).optional(),
};

export const memberBody = z
  .strictObject({ assistantId: reference.describe("Id of the assistant"), ...memberChanges })
  .meta({
    id: "SquadMemberRequest",
    examples: [{ assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5", isEntry: true }],
  });
export type MemberBody = z.output<typeof memberBody>;

/** `memberId` names the member if neither path nor query does. */
const changeMemberBody = z
  .strictObject({
    memberId: reference.describe("Id of the member; needed when the path does not name it").optional(),
    ...memberChanges,
  })
  .meta({ id: "SquadMemberChanges", examples: [{ position: 2 }] });
export type MemberChanges = z.output<typeof changeMemberBody>;

const removeMemberBody = z
  .strictObject({
    memberId: reference.describe("Id of the member; needed when the query does not name it").optional(),
  })
  .nullish()
  .meta({ examples: [{ memberId: "mbr_01k4b2s9h3e8t9v0w1x2y3z4a5" }] });

export const squadMemberRecord = z
  .object({
    id: idOf("mbr").describe("Id of the member"),
    squadId: idOf("sqd").describe("Id of its squad"),
    assistantId,
    assistantVersion: z.number().meta({ type: "integer" }).nullable().describe(VERSION),
    isEntry: z.boolean().describe(IS_ENTRY),
    position: z.number().meta({ type: "integer" }).describe(POSITION),
    overrideSettings: anyObject.describe(MEMBER_OVERRIDES),
    createdAt,
    updatedAt,
  })
  .meta({ id: "SquadMember" });
export type SquadMemberRecord = DeepReadonly<z.infer<typeof squadMemberRecord>>;

/** Removing a member removes its links, and the answer names them. */
const deletedMember = deletedRecord("mbr").extend({
  removedHandoffIds: z.array(idOf("hnd")).describe("Ids of the handoffs that went with it"),
  newEntryMemberId: idOf("mbr")
    .nullable()
    .describe("Id of the member that speaks first from now on; null: as before, or nobody"),
});

const scope = "squads:write";
const errors = ["SQUAD_NOT_FOUND", "SQUAD_MEMBER_NOT_FOUND"] as const;
const namedErrors = [...errors, "SQUAD_MEMBER_NOT_FOUND@400"] as const;
const query = z.object({ memberId: z.string().max(64).describe("Id of the member").optional() });

export const squadMemberRoutes = routes({
  addSquadMember: {
    method: "POST",
    path: "/api/v1/squads/:id/members",
    tag: "squads",
    summary: "Adds an assistant to the squad",
    scope,
    body: memberBody,
    answers: { 201: answer(squadMemberRecord) },
    errors: ["SQUAD_NOT_FOUND", "ASSISTANT_NOT_FOUND@400", "SQUAD_MEMBER_EXISTS", "SQUAD_LIMIT_REACHED"],
    idempotent: true,
  },
  changeSquadMember: {
    method: "PATCH",
    path: "/api/v1/squads/:id/members",
    tag: "squads",
    summary: "Changes the member named by memberId",
    scope,
    query,
    body: changeMemberBody,
    answers: { 200: answer(squadMemberRecord) },
    errors: [...namedErrors, "SQUAD_LIMIT_REACHED"],
  },
  changeSquadMemberById: {
    method: "PATCH",
    path: "/api/v1/squads/:id/members/:memberId",
    tag: "squads",
    summary: "Changes a member",
    scope,
    body: changeMemberBody,
    answers: { 200: answer(squadMemberRecord) },
    errors: [...errors, "SQUAD_LIMIT_REACHED"],
  },
  removeSquadMember: {
    method: "DELETE",
    path: "/api/v1/squads/:id/members",
    tag: "squads",
    summary: "Removes the member named by memberId, with its handoffs",
    scope,
    query,
    body: removeMemberBody,
    answers: { 200: answer(deletedMember) },
    errors: namedErrors,
  },
  removeSquadMemberById: {
    method: "DELETE",
    path: "/api/v1/squads/:id/members/:memberId",
    tag: "squads",
    summary: "Removes a member with its handoffs",
    scope,
    answers: { 200: answer(deletedMember) },
    errors,
  },
});
