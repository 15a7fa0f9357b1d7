import { z } from "zod";
import { answer, type DeepReadonly, deleted, KIB, list, longText, pageFields, updatedAt } from "./fields.ts";
import { routes } from "./route.ts";

export const SECRET_NAME = /^[A-Z0-9_]{1,64}$/;

const secretBody = z
  .strictObject({ value: longText(8 * KIB).describe("The secret itself; it is never shown") })
  .meta({ id: "SecretRequest", examples: [{ value: "s3cr3t" }] });

/** Without the value. */
const secretRecord = z
  .object({
    name: z.string().regex(SECRET_NAME).describe("Name under which tools use it: A-Z, 0-9 and _"),
    updatedAt,
  })
  .meta({ id: "Secret", examples: [{ name: "SHOP_KEY", updatedAt: "2026-09-01T10:00:00.000Z" }] });
export type SecretRecord = DeepReadonly<z.infer<typeof secretRecord>>;

const deletedSecret = z.object({ name: z.string().describe("Name of what is gone"), deleted });

export const secretRoutes = routes({
  putSecret: {
    method: "PUT",
    path: "/api/v1/secrets/:name",
    tag: "secrets",
    summary: "Keeps a secret; its value is never read back",
    scope: "tools:write",
    body: secretBody,
    answers: { 200: answer(secretRecord) },
  },
  listSecrets: {
    method: "GET",
    path: "/api/v1/secrets",
    tag: "secrets",
    summary: "Names of secrets, by name",
    scope: "tools:read",
    query: z.object(pageFields),
    answers: { 200: list(secretRecord) },
  },
  deleteSecret: {
    method: "DELETE",
    path: "/api/v1/secrets/:name",
    tag: "secrets",
    summary: "Deletes a secret",
    scope: "tools:write",
    answers: { 200: answer(deletedSecret) },
    errors: ["SECRET_NOT_FOUND"],
  },
});
