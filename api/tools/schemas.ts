import { z } from "zod";
import type { ToolRecord } from "../../application/ports/configuration/tools.ts";
import { idOf, instant, KIB, label, longText } from "../schema.ts";

const PLACEHOLDER = /\{[A-Za-z0-9_]+\}/g;
const SECRET = /\{\{\s*secrets\./i;
const noSecret = (value: string) => !SECRET.test(value);
const NO_SECRET = { message: "A secret may stand in header values only" };

const plainText = longText(8 * KIB).refine(noSecret, NO_SECRET);
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "Must be the name of an HTTP header");
/** No line break: a value must not end its header. */
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
      .refine(noSecret, NO_SECRET),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
    headers: z.record(headerName, headerValue).refine(fewEntries, FEW).optional(),
    query: z.record(z.string(), plainText).refine(fewEntries, FEW).optional(),
  })
  .meta({ id: "ApiRequestConfig" });

export const databaseQueryConfig = z
  .strictObject({
    query: longText(32 * KIB).refine(noSecret, NO_SECRET),
    parameters: z.record(z.string(), plainText).refine(fewEntries, FEW).optional(),
  })
  .meta({ id: "DatabaseQueryConfig" });

export const configSchemas = { API_REQUEST: apiRequestConfig, DATABASE_QUERY: databaseQueryConfig };

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
    ],
    { error: "Must be API_REQUEST or DATABASE_QUERY" },
  )
  .meta({ id: "ToolRequest", examples: [EXAMPLE] });

/** Whether the config fits the type is judged with the tool as it stands. */
export const changeToolBody = z
  .strictObject({
    name: label.optional(),
    description: longText(4 * KIB).optional(),
    type: z.enum(["API_REQUEST", "DATABASE_QUERY"]).optional(),
    config: z
      .union([apiRequestConfig, databaseQueryConfig], {
        error: "Must be the whole config of an API_REQUEST or a DATABASE_QUERY tool",
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
  }),
  z.object({ query: z.string(), parameters: z.record(z.string(), z.string()).optional() }),
]);

export const tool = z
  .object({
    id: idOf("tool"),
    name: z.string(),
    type: z.enum(["API_REQUEST", "DATABASE_QUERY"]),
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

/** The record as the contract has it: its config was checked for its type when it was written. */
export function toolRecord(record: ToolRecord) {
  return { ...record, config: record.config as z.infer<typeof anyConfig> };
}
