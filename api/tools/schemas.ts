import { z } from "zod";
import type { ToolRecord } from "../../application/ports/configuration/tools.ts";
import { idOf, instant, KIB, label, longText, phoneNumber, reference } from "../../contract/fields.ts";
import { bindNamed } from "../../domain/tool/named-parameters.ts";
import { hasFixedOrigin } from "../../domain/tool/request-url.ts";
import { takesBody } from "../../domain/tool/tool-config.ts";

const TYPES = ["API_REQUEST", "DATABASE_QUERY", "END_CALL", "TRANSFER_CALL"] as const;
const PLACEHOLDER = /\{[A-Za-z0-9_]+\}/g;
const SECRET = /\{\{\s*secrets\./i;
const noSecret = (value: string) => !SECRET.test(value);
const NO_SECRET = { message: "A secret may stand in header values only" };
const MAX_BODY_BYTES = 32 * KIB;

const plainText = longText(8 * KIB).refine(noSecret, NO_SECRET);
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "Must be the name of an HTTP header");
/** No line break, which would end the header. */
const headerValue = longText(8 * KIB).refine((value) => !/[\r\n]/.test(value), {
  message: "Must not contain a line break",
});
const fewEntries = (value: object) => Object.keys(value).length <= 100;
const FEW = { message: "Must have at most 100 entries" };

function isHttpUrl(value: string): boolean {
  const filled = value.replaceAll(PLACEHOLDER, "x");
  return URL.canParse(filled) && ["http:", "https:"].includes(new URL(filled).protocol);
}

export const apiRequestConfig = z
  .strictObject({
    url: longText(8 * KIB)
      .refine(isHttpUrl, { message: "Must be an http or https URL; {name} may stand in its path" })
      .refine((value) => !isHttpUrl(value) || hasFixedOrigin(value), {
        message: "{name} may stand in its path and query only",
      })
      .refine(noSecret, NO_SECRET),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
    headers: z.record(headerName, headerValue).refine(fewEntries, FEW).optional(),
    query: z.record(z.string(), plainText).refine(fewEntries, FEW).optional(),
    body: z
      .unknown()
      .refine((value) => noSecret(JSON.stringify(value) ?? ""), NO_SECRET)
      .refine((value) => Buffer.byteLength(JSON.stringify(value) ?? "") <= MAX_BODY_BYTES, {
        message: `Must have at most ${MAX_BODY_BYTES / KIB} KiB as JSON`,
      })
      .optional(),
  })
  .refine(({ method, body }) => body === undefined || takesBody(method), {
    path: ["body"],
    message: "Only POST, PUT and PATCH take a body",
  })
  .meta({ id: "ApiRequestConfig" });

export const databaseQueryConfig = z
  .strictObject({
    connectionId: reference.optional(),
    query: longText(32 * KIB)
      .refine(noSecret, NO_SECRET)
      .refine((value) => bindNamed(value).ok, {
        message: "Must be SQL whose strings and comments end, with values as :name",
      }),
    parameters: z.record(z.string(), plainText).refine(fewEntries, FEW).optional(),
  })
  .meta({ id: "DatabaseQueryConfig" });

export const endCallConfig = z.strictObject({}).meta({ id: "EndCallConfig" });

export const transferCallConfig = z
  .strictObject({ to: phoneNumber, message: longText(4 * KIB).optional() })
  .meta({ id: "TransferCallConfig" });

export const configSchemas = {
  API_REQUEST: apiRequestConfig,
  DATABASE_QUERY: databaseQueryConfig,
  END_CALL: endCallConfig,
  TRANSFER_CALL: transferCallConfig,
};

const EXAMPLE = {
  name: "order_status",
  type: "API_REQUEST" as const,
  description: "Looks an order up",
  config: {
    url: "https://shop.example.com/orders/{orderId}",
    method: "GET",
    headers: { Authorization: "Bearer {{secrets.SHOP_KEY}}" },
    query: {},
  },
};

const common = { name: label, description: longText(4 * KIB).optional() };

export const toolBody = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ ...common, type: z.literal("API_REQUEST"), config: apiRequestConfig }),
      z.strictObject({ ...common, type: z.literal("DATABASE_QUERY"), config: databaseQueryConfig }),
      z.strictObject({ ...common, type: z.literal("END_CALL"), config: endCallConfig.optional() }),
      z.strictObject({ ...common, type: z.literal("TRANSFER_CALL"), config: transferCallConfig }),
    ],
    { error: `Must be one of ${TYPES.join(", ")}` },
  )
  .meta({ id: "ToolRequest", examples: [EXAMPLE] });

/** Whether the config fits the type is checked against the current tool. */
export const changeToolBody = z
  .strictObject({
    name: label.optional(),
    description: longText(4 * KIB).optional(),
    type: z.enum(TYPES).optional(),
    config: z
      .union([apiRequestConfig, databaseQueryConfig, transferCallConfig, endCallConfig], {
        error: "Must be the whole config of a tool of one type",
      })
      .optional(),
  })
  .meta({ id: "ToolChanges", examples: [{ description: "Looks one order up" }] });

const anyConfig = z.union([
  z.object({
    url: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    query: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
  z.object({
    connectionId: z.string().optional(),
    query: z.string(),
    parameters: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ to: z.string(), message: z.string().optional() }),
  z.object({}),
]);

export const tool = z
  .object({
    id: idOf("tool"),
    name: z.string(),
    type: z.enum(TYPES),
    description: z.string(),
    config: anyConfig,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Tool",
    examples: [
      {
        id: "tool_01k4b2s9h3e8t9v0w1x2y3z4a5",
        ...EXAMPLE,
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });

export const toolDeleted = z.object({ id: idOf("tool"), deleted: z.literal(true) });

/** The record in the contract's form; its config was checked when it was written. */
export function toolRecord(record: ToolRecord) {
  return { ...record, config: record.config as z.infer<typeof anyConfig> };
}
