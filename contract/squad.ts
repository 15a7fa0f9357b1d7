import { z } from "zod";
import {
  answer,
  anyObject,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  idOf,
  KIB,
  label,
  list,
  longText,
  pageFields,
  updatedAt,
  userId,
} from "./fields.ts";
import { handoffBody, handoffRecord } from "./handoff.ts";
import { routes } from "./route.ts";
import { memberBody, OVERRIDES, overrideSettings, squadMemberRecord } from "./squad-member.ts";

const NAME = "Name of the squad";
const DESCRIPTION = "What the squad is for; null: nothing said";
const MEMBERS = "Its assistants, at most 20";
const HANDOFFS = "Who hands over to whom";

const name = label.describe(NAME);
const described = {
  description: longText(4 * KIB)
    .nullable()
    .describe(DESCRIPTION)
    .optional(),
  overrideSettings: overrideSettings.describe(OVERRIDES).optional(),
};

const createSquadBody = z
  .strictObject({
    name,
    ...described,
    members: z.array(memberBody).max(100).describe(MEMBERS).optional(),
    handoffs: z.array(handoffBody).max(1000).describe(HANDOFFS).optional(),
  })
  .meta({
    id: "SquadRequest",
    examples: [
      { name: "Reception", members: [{ assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5", isEntry: true }] },
    ],
  });

const changeSquadBody = z
  .strictObject({ name: name.optional(), ...described })
  .meta({ id: "SquadChanges", examples: [{ description: "First line" }] });

/** Members by position, handoffs by creation. */
export const squadRecord = z
  .object({
    id: idOf("sqd").describe("Id of the squad"),
    name: z.string().describe(NAME),
    description: z.string().nullable().describe(DESCRIPTION),
    overrideSettings: anyObject.describe(OVERRIDES),
    members: z.array(squadMemberRecord).describe(MEMBERS),
    handoffs: z.array(handoffRecord).describe(HANDOFFS),
    userId,
    createdAt,
    updatedAt,
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
export type SquadRecord = DeepReadonly<z.infer<typeof squadRecord>>;

const deletedSquad = deletedRecord("sqd").extend({ id: z.string().describe("Id of what is gone") });

const errors = ["SQUAD_NOT_FOUND"] as const;

export const squadRoutes = routes({
  listSquads: {
    method: "GET",
    path: "/api/v1/squads",
    tag: "squads",
    summary: "Squads with members and handoffs, newest first",
    scope: "squads:read",
    query: z.object(pageFields),
    answers: { 200: list(squadRecord) },
  },
  getSquad: {
    method: "GET",
    path: "/api/v1/squads/:id",
    tag: "squads",
    summary: "One squad with members and handoffs",
    scope: "squads:read",
    answers: { 200: answer(squadRecord) },
    errors,
  },
  createSquad: {
    method: "POST",
    path: "/api/v1/squads",
    tag: "squads",
    summary: "Creates a squad, with members and handoffs if wanted",
    scope: "squads:write",
    body: createSquadBody,
    answers: { 201: answer(squadRecord) },
    errors: ["ASSISTANT_NOT_FOUND@400", "SQUAD_MEMBER_EXISTS", "HANDOFF_EXISTS", "SQUAD_LIMIT_REACHED"],
    idempotent: true,
  },
  changeSquad: {
    method: "PATCH",
    path: "/api/v1/squads/:id",
    tag: "squads",
    summary: "Changes name, description or override settings",
    scope: "squads:write",
    body: changeSquadBody,
    answers: { 200: answer(squadRecord) },
    errors: [...errors, "SQUAD_LIMIT_REACHED"],
  },
  deleteSquad: {
    method: "DELETE",
    path: "/api/v1/squads/:id",
    tag: "squads",
    summary: "Deletes a squad; its history stays in the log",
    scope: "squads:write",
    answers: { 200: answer(deletedSquad) },
    errors,
  },
});
