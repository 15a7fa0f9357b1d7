import { z } from "zod";
import type { JsonObject } from "../domain/shared/json.ts";
import { fitsUtf8 } from "../domain/shared/utf8.ts";
import { bindNamed } from "../domain/tool/named-parameters.ts";
import { hasFixedOrigin } from "../domain/tool/request-url.ts";
import { type ApiRequestMethod, type ToolType, takesBody } from "../domain/tool/tool-config.ts";
import {
  answer,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  idOf,
  KIB,
  label,
  list,
  longText,
  pageFields,
  phoneNumber,
  reference,
  typed,
  updatedAt,
} from "./fields.ts";
import { routes } from "./route.ts";

const TYPES = [
  "API_REQUEST",
  "DATABASE_QUERY",
  "END_CALL",
  "TRANSFER_CALL",
] as const satisfies readonly ToolType[];
const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
] as const satisfies readonly ApiRequestMethod[];
const PLACEHOLDER = /\{[A-Za-z0-9_]+\}/g;
const SECRET = /\{\{\s*secrets\./i;
const noSecret = (value: string) => !SECRET.test(value);
const NO_SECRET = { message: "A secret may stand in header values only" };
const MAX_BODY_BYTES = 32 * KIB;
const MAX_CONFIG_BYTES = 64 * KIB;

const NAME = "Name under which the assistant sees it";
const DESCRIPTION = "What it does, for the assistant to judge";
const TYPE = "What kind of tool it is; its config follows from it";
const CONFIG = "How it is used";
const SAMPLE =
  "What a rehearsal answers in its place, text of at most 4 KiB, where the case says nothing; null: the model is told that it cannot be used";

const URL_TOLD = "Address; {argument} may stand in its path";
const METHOD = "HTTP method";
const HEADERS = "Headers; {{secrets.NAME}} in a value is replaced by that secret";
const BODY =
  "JSON that is sent with POST, PUT or PATCH; {argument} and {{variable}} may stand in its strings";
const CONNECTION = "Id of the connection of kind postgres that the query runs on";
const PARAMETERS = "Values of the query, by name; {argument} and {{variable}} may stand in them";
const TO = "The number that the call is handed to, E.164; the model never chooses it";
const MESSAGE = "What is said before; at most 4 KiB";

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

/** Names too, and all values together: each alone has its limit, and there may be hundreds. */
const fitsWhole = (config: unknown) => fitsUtf8(JSON.stringify(config) ?? "", MAX_CONFIG_BYTES);
const TOO_LARGE = `Must have at most ${MAX_CONFIG_BYTES / KIB} KiB as JSON`;

function isHttpUrl(value: string): boolean {
  const filled = value.replaceAll(PLACEHOLDER, "x");
  return URL.canParse(filled) && ["http:", "https:"].includes(new URL(filled).protocol);
}

const apiRequestConfig = z
  .strictObject({
    url: longText(8 * KIB)
      .refine(isHttpUrl, { message: "Must be an http or https URL; {name} may stand in its path" })
      .refine((value) => !isHttpUrl(value) || hasFixedOrigin(value), {
        message: "{name} may stand in its path and query only",
      })
      .refine(noSecret, NO_SECRET)
      .describe(URL_TOLD),
    method: z.enum(METHODS).describe(METHOD),
    headers: z.record(headerName, headerValue).refine(fewEntries, FEW).describe(HEADERS).optional(),
    query: z
      .record(z.string(), plainText)
      .refine(fewEntries, FEW)
      .describe("Values of the address's query, by name; {argument} may stand in them")
      .optional(),
    body: z
      .unknown()
      .refine((value) => noSecret(JSON.stringify(value) ?? ""), NO_SECRET)
      .refine((value) => fitsUtf8(JSON.stringify(value) ?? "", MAX_BODY_BYTES), {
        message: `Must have at most ${MAX_BODY_BYTES / KIB} KiB as JSON`,
      })
      .describe(BODY)
      .optional(),
  })
  .refine(({ method, body }) => body === undefined || takesBody(method), {
    path: ["body"],
    message: "Only POST, PUT and PATCH take a body",
  })
  .refine(fitsWhole, TOO_LARGE)
  .meta({ id: "ApiRequestConfig" });

const databaseQueryConfig = z
  .strictObject({
    connectionId: reference.describe(CONNECTION).optional(),
    query: longText(32 * KIB)
      .refine(noSecret, NO_SECRET)
      .refine((value) => bindNamed(value).ok, {
        message: "Must be SQL whose strings and comments end, with values as :name",
      })
      .describe("The SQL: one SELECT, VALUES or TABLE; values stand in it as :name"),
    parameters: z.record(z.string(), plainText).refine(fewEntries, FEW).describe(PARAMETERS).optional(),
  })
  .refine(fitsWhole, TOO_LARGE)
  .meta({ id: "DatabaseQueryConfig" });

const endCallConfig = z.strictObject({}).meta({ id: "EndCallConfig" });

const transferCallConfig = z
  .strictObject({
    to: phoneNumber.describe(TO),
    message: longText(4 * KIB)
      .describe(MESSAGE)
      .optional(),
  })
  .meta({ id: "TransferCallConfig" });

/** The whole config of a tool, by its type. */
export const toolConfigs = {
  API_REQUEST: apiRequestConfig,
  DATABASE_QUERY: databaseQueryConfig,
  END_CALL: endCallConfig,
  TRANSFER_CALL: transferCallConfig,
} satisfies Readonly<Record<ToolType, z.ZodType>>;

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
  sampleAnswer: '{"status":"shipped"}',
};

const common = {
  name: label.describe(NAME),
  description: longText(4 * KIB)
    .describe(DESCRIPTION)
    .optional(),
  sampleAnswer: longText(4 * KIB)
    .nullish()
    .describe(SAMPLE),
};
const of = <Type extends ToolType>(type: Type) => z.literal(type).describe(TYPE);

const toolBody = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({
        ...common,
        type: of("API_REQUEST"),
        config: apiRequestConfig.describe(CONFIG),
      }),
      z.strictObject({
        ...common,
        type: of("DATABASE_QUERY"),
        config: databaseQueryConfig.describe(CONFIG),
      }),
      z.strictObject({
        ...common,
        type: of("END_CALL"),
        config: endCallConfig.describe(CONFIG).optional(),
      }),
      z.strictObject({
        ...common,
        type: of("TRANSFER_CALL"),
        config: transferCallConfig.describe(CONFIG),
      }),
    ],
    { error: `Must be one of ${TYPES.join(", ")}` },
  )
  .meta({ id: "ToolRequest", examples: [EXAMPLE] });

/** Whether the config fits the type is checked against the current tool. */
const changeToolBody = z
  .strictObject({
    ...common,
    name: common.name.optional(),
    type: z.enum(TYPES).describe(TYPE).optional(),
    config: z
      .union([apiRequestConfig, databaseQueryConfig, transferCallConfig, endCallConfig], {
        error: ({ input }) =>
          fitsWhole(input) ? "Must be the whole config of a tool of one type" : TOO_LARGE,
      })
      .describe(CONFIG)
      .optional(),
  })
  .meta({ id: "ToolChanges", examples: [{ description: "Looks one order up" }] });

const texts = z.record(z.string(), z.string());
const QUERY = "API_REQUEST: the query's values, by name. DATABASE_QUERY: the SQL";

/** As it was checked when it was written. */
const keptConfig = z.union([
  z.object({
    url: z.string().describe(URL_TOLD),
    method: z.string().describe(METHOD),
    headers: texts.describe(HEADERS).optional(),
    query: texts.describe(QUERY).optional(),
    body: z.unknown().describe(BODY).optional(),
  }),
  z.object({
    connectionId: z.string().describe(CONNECTION).optional(),
    query: z.string().describe(QUERY),
    parameters: texts.describe(PARAMETERS).optional(),
  }),
  z.object({ to: z.string().describe(TO), message: z.string().describe(MESSAGE).optional() }),
  z.object({}),
]);

export const toolRecord = z
  .object({
    id: idOf("tool").describe("Id of the tool"),
    name: z.string().describe(NAME),
    type: z.enum(TYPES).describe(TYPE),
    description: z.string().describe(DESCRIPTION),
    config: typed<JsonObject>(keptConfig).describe(CONFIG),
    sampleAnswer: z.string().nullable().describe(SAMPLE),
    createdAt,
    updatedAt,
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
export type ToolRecord = DeepReadonly<z.infer<typeof toolRecord>>;

const errors = ["TOOL_NOT_FOUND"] as const;

export const toolRoutes = routes({
  listTools: {
    method: "GET",
    path: "/api/v1/tools",
    tag: "tools",
    summary: "Tools, newest first",
    scope: "tools:read",
    query: z.object(pageFields),
    answers: { 200: list(toolRecord) },
  },
  getTool: {
    method: "GET",
    path: "/api/v1/tools/:toolId",
    tag: "tools",
    summary: "One tool",
    scope: "tools:read",
    answers: { 200: answer(toolRecord) },
    errors,
  },
  createTool: {
    method: "POST",
    path: "/api/v1/tools",
    tag: "tools",
    summary: "Creates a tool",
    scope: "tools:write",
    body: toolBody,
    answers: { 201: answer(toolRecord) },
    errors: ["CONNECTION_NOT_FOUND@400"],
    idempotent: true,
  },
  changeTool: {
    method: "PATCH",
    path: "/api/v1/tools/:toolId",
    tag: "tools",
    summary: "Changes a tool; a config is given whole",
    scope: "tools:write",
    body: changeToolBody,
    answers: { 200: answer(toolRecord) },
    errors: [...errors, "CONNECTION_NOT_FOUND@400"],
  },
  deleteTool: {
    method: "DELETE",
    path: "/api/v1/tools/:toolId",
    tag: "tools",
    summary: "Deletes a tool that no assistant uses",
    scope: "tools:write",
    answers: { 200: answer(deletedRecord("tool")) },
    errors: [...errors, "TOOL_IN_USE"],
  },
});
