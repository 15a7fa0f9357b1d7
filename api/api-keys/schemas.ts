import { z } from "zod";
import { idOf, instant, instantInput, label } from "../../contract/fields.ts";
import { SCOPES } from "../../contract/scopes.ts";

export const apiKeyBody = z
  .strictObject({
    name: label,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1, "Must name at least one scope")
      .max(50)
      .refine((scopes) => new Set(scopes).size === scopes.length, { message: "Must not name a scope twice" }),
    expiresAt: instantInput.nullable().optional(),
  })
  .meta({ id: "ApiKeyRequest", examples: [{ name: "Reporting", scopes: ["calls:read", "campaigns:read"] }] });

const fields = {
  id: idOf("key"),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  createdAt: instant,
};

const EXAMPLE = {
  id: "key_01k4b2s9h3e8t9v0w1x2y3z4a5",
  name: "Reporting",
  scopes: ["calls:read", "campaigns:read"],
  expiresAt: null,
  lastUsedAt: null,
  createdAt: "2026-09-01T10:00:00.000Z",
};

export const apiKey = z.object(fields).meta({ id: "ApiKey", examples: [EXAMPLE] });

/** `key` is shown only in this answer; null in a replayed one. */
export const issuedApiKey = z.object({ ...fields, key: z.string().nullable() }).meta({
  id: "IssuedApiKey",
  examples: [{ ...EXAMPLE, key: "va_live_k7d2m9qx_4p8s1v6y3b0c5f7h9j2l4n6q8s0u2w4y" }],
});

export const apiKeyDeleted = z.object({ id: idOf("key"), deleted: z.literal(true) });
export type ApiKeyBody = z.infer<typeof apiKeyBody>;
