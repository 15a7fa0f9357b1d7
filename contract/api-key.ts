import { z } from "zod";
import {
  answer,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  idOf,
  instant,
  instantInput,
  label,
  list,
  pageFields,
} from "./fields.ts";
import { routes } from "./route.ts";
import { SCOPES } from "./scopes.ts";

const NAME = "What the key is for";
const SCOPES_OF_KEY = "What the key may do";
const EXPIRES_AT = "Until when it works; ISO 8601; null: without end";

const apiKeyBody = z
  .strictObject({
    name: label.describe(NAME),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1, "Must name at least one scope")
      .max(50)
      .refine((scopes) => new Set(scopes).size === scopes.length, { message: "Must not name a scope twice" })
      .describe(SCOPES_OF_KEY),
    expiresAt: instantInput.nullable().optional().describe(EXPIRES_AT),
  })
  .meta({ id: "ApiKeyRequest", examples: [{ name: "Reporting", scopes: ["calls:read", "campaigns:read"] }] });
export type ApiKeyBody = z.infer<typeof apiKeyBody>;

/** A key for an owner who lost all keys; always with the scope admin. */
export const adminKeyBody = z
  .strictObject({ name: label.optional().describe(NAME) })
  .nullish()
  .meta({ examples: [{ name: "Found again" }] });

const fields = {
  id: idOf("key").describe("Id of the key"),
  name: z.string().describe(NAME),
  scopes: z.array(z.enum(SCOPES)).describe(SCOPES_OF_KEY),
  expiresAt: instant.nullable().describe(EXPIRES_AT),
  lastUsedAt: instant.nullable().describe("When it was used last; ISO 8601, UTC; null: never"),
  createdAt,
};

const EXAMPLE = {
  id: "key_01k4b2s9h3e8t9v0w1x2y3z4a5",
  name: "Reporting",
  scopes: ["calls:read", "campaigns:read"],
  expiresAt: null,
  lastUsedAt: null,
  createdAt: "2026-09-01T10:00:00.000Z",
};

/** `lastUsedAt` is written with a delay of up to a minute. */
const apiKey = z.object(fields).meta({ id: "ApiKey", examples: [EXAMPLE] });
export type ApiKeyRecord = DeepReadonly<z.infer<typeof apiKey>>;

const key = z.string().nullable().describe("The key itself; shown this once, null in a repeated answer");

/** `key` is null, too, when it was made before: a retry of the request after a crash. */
export const issuedApiKey = z.object({ ...fields, key }).meta({
  id: "IssuedApiKey",
  examples: [{ ...EXAMPLE, key: "va_live_k7d2m9qx_4p8s1v6y3b0c5f7h9j2l4n6q8s0u2w4y" }],
});
export type IssuedApiKey = DeepReadonly<z.infer<typeof issuedApiKey>>;

/** In the answer that makes an owner. */
export const firstKey = z.object({ id: fields.id, name: fields.name, scopes: fields.scopes, key });

export const apiKeyRoutes = routes({
  createApiKey: {
    method: "POST",
    path: "/api/v1/api-keys",
    tag: "API keys",
    summary: "Makes a key; it is shown in this one answer",
    scope: "admin",
    body: apiKeyBody,
    answers: { 201: answer(issuedApiKey) },
    idempotent: true,
  },
  listApiKeys: {
    method: "GET",
    path: "/api/v1/api-keys",
    tag: "API keys",
    summary: "Keys of this owner, newest first; never their secrets",
    scope: "admin",
    query: z.object(pageFields),
    answers: { 200: list(apiKey) },
  },
  revokeApiKey: {
    method: "DELETE",
    path: "/api/v1/api-keys/:id",
    tag: "API keys",
    summary: "Revokes a key at once",
    scope: "admin",
    answers: { 200: answer(deletedRecord("key")) },
    errors: ["API_KEY_NOT_FOUND", "CONFLICT"],
  },
});
