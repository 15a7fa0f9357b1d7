import { z } from "zod";
import { creditAmount, plan, planBody } from "./account.ts";
import { adminKeyBody, firstKey, issuedApiKey } from "./api-key.ts";
import {
  answer,
  createdAt,
  type DeepReadonly,
  label,
  list,
  pageFields,
  updatedAt,
  userId,
} from "./fields.ts";
import { routes } from "./route.ts";

const NAME = "Name of the owner";
const ACTIVE = "false: its keys are refused, and its campaigns dial nobody";

const userBody = z
  .strictObject({
    name: label.describe(NAME),
    plan: planBody,
    credits: creditAmount(0).optional().describe("Credits to begin with, with at most 4 decimals"),
  })
  .meta({ id: "UserRequest", examples: [{ name: "Acme", plan: { maxConcurrentCalls: 50 }, credits: 500 }] });

const changeUserBody = z
  .strictObject({
    name: label.optional().describe(NAME),
    plan: planBody
      .nullable()
      .describe(
        "Only the given fields change; null: the installation's own plan again, without a limit of tokens",
      ),
    active: z.boolean().optional().describe(ACTIVE),
  })
  .meta({ id: "UserChanges", examples: [{ plan: { maxConcurrentCalls: 100 } }] });

const user = z
  .object({
    id: userId,
    name: z.string().describe(NAME),
    plan,
    active: z.boolean().describe(ACTIVE),
    createdAt,
    updatedAt,
  })
  .meta({ id: "User" });
export type UserRecord = DeepReadonly<z.infer<typeof user>>;

const newUser = z
  .object({ user: user.describe("The new owner"), apiKey: firstKey.describe("Its first key") })
  .meta({ id: "NewUser" });

export const userRoutes = routes({
  createUser: {
    method: "POST",
    path: "/api/v1/users",
    tag: "users",
    summary: "Makes an owner with a first admin key, which is shown in this one answer",
    scope: "operator",
    body: userBody,
    answers: { 201: answer(newUser) },
    idempotent: true,
  },
  createAdminKey: {
    method: "POST",
    path: "/api/v1/users/:id/api-keys",
    tag: "users",
    summary: "Makes a new admin key for an owner that lost its own; it is shown in this one answer",
    scope: "operator",
    body: adminKeyBody,
    answers: { 201: answer(issuedApiKey) },
    errors: ["USER_NOT_FOUND"],
    idempotent: true,
  },
  listUsers: {
    method: "GET",
    path: "/api/v1/users",
    tag: "users",
    summary: "Owners, newest first",
    scope: "operator",
    query: z.object(pageFields),
    answers: { 200: list(user) },
  },
  changeUser: {
    method: "PATCH",
    path: "/api/v1/users/:id",
    tag: "users",
    summary: "Changes name, plan or whether the owner is active",
    scope: "operator",
    body: changeUserBody,
    answers: { 200: answer(user) },
    errors: ["USER_NOT_FOUND", "CONFLICT"],
  },
});
