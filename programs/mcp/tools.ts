import { z } from "zod";
import { RingfoldError } from "../../client/errors.ts";
import { OPERATIONS } from "../../client/operations.ts";
import type { sender } from "../../client/requests.ts";
import { callRecord } from "../../contract/call.ts";
import { argumentsOf, PATH_PARAMETERS, paramsOf, type Route } from "../../contract/route.ts";
import { ROUTES, type Routes } from "../../contract/routes.ts";
import { ROWS, shortened, withinBounds } from "./bounded.ts";

/** What an assistant may be given: each is an operation of the API, and says what the contract says of it. */
const READING = [
  "search",
  "listCampaigns",
  "getCampaign",
  "getCampaignStatistics",
  "getCampaignProgress",
  "listContacts",
  "getContact",
  "explainContact",
  "listCalls",
  "getCall",
  "getNumber",
  "listAssistants",
  "listPhoneNumbers",
  "getAccount",
  "getUsage",
] as const satisfies readonly (keyof Routes)[];

/** Only with --write. */
const WRITING = [
  "startCampaign",
  "pauseCampaign",
  "resumeCampaign",
  "startOutboundCall",
  "addSuppression",
] as const satisfies readonly (keyof Routes)[];

export type Arguments = Readonly<Record<string, unknown>>;

/** As MCP lists it. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** The text of the answer. Throws a RingfoldError, a ConnectionError or a MisusedTool. */
  readonly call: (send: Send, given: Arguments, signal: AbortSignal) => Promise<string>;
};

type Send = ReturnType<typeof sender>;

/** The arguments are not those of the tool. */
export class MisusedTool extends Error {
  override readonly name = "MisusedTool";
}

/** The tools that there are; those that change something, or call somebody, only where `write` says so. */
export function toolsOf(write: boolean): readonly Tool[] {
  const reading = READING.map((name) => toolOf(name));
  const transcript = {
    ...toolOf("getCall", messagesOf),
    name: "get_call_transcript",
    description: `Transcript of a call: ${callRecord.shape.messages.description ?? ""}`,
  };
  return [...reading, transcript, outcomesTool(), ...(write ? WRITING.map((name) => toolOf(name)) : [])];
}

function toolOf(operationId: keyof Routes, view = (data: unknown) => data): Tool {
  const route: Route = ROUTES[operationId];
  const operation = operationOf(operationId);
  const places = argumentsOf(route.path);
  const query = withRows(shapeOf(route.query));
  const body = shapeOf(route.body);
  const fields = z.object({ ...pathFields(route), ...query, ...body });
  const inputSchema = schemaOf(fields);
  const required = inputSchema.required ?? [];
  const known = Object.keys(fields.shape);
  return {
    name: operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    description: [route.summary, route.description].filter(Boolean).join(". "),
    inputSchema,
    annotations: {
      readOnlyHint: route.method === "GET",
      destructiveHint: route.method !== "GET",
      openWorldHint: route.method !== "GET",
    },
    call: async (send, given, signal) => {
      check(given, known, required);
      const ask = async (limit: number | null) => {
        const pick = (shape: object) => picked(given, Object.keys(shape));
        const asked = [
          ...places.map((name) => given[name]),
          ...(operation.takesBody === "nothing" ? [] : [Object.keys(body).length === 0 ? null : pick(body)]),
          ...(operation.takesQuery ? [{ ...pick(query), ...(limit === null ? {} : { limit }) }] : []),
        ];
        return (await send(operation, [...asked, { signal }])).data;
      };
      if (!("limit" in query)) return shortened(view(dataOf(await ask(null))));
      return withinBounds(rowsWanted(given["limit"]), async (limit) => pageOf(await ask(limit)));
    },
  };
}

/** What calls brought home: how many of a campaign by field and value, and call by call. */
function outcomesTool(): Tool {
  const [calls, statistics] = [operationOf("listCalls"), operationOf("getCampaignStatistics")];
  const { campaignId, success, cursor, limit } = withRows(shapeOf(ROUTES.listCalls.query));
  const fields = z.object({
    campaignId: campaignId ?? z.never(),
    field: z.string().optional().describe("Only this field of each outcome"),
    value: z
      .string()
      .optional()
      .describe("Only calls with this value in `field`, as JSON without quotes: true, 12, yes, null"),
    success: success ?? z.never(),
    cursor: cursor ?? z.never(),
    limit: limit ?? z.never(),
  });
  return {
    name: "list_outcomes",
    description:
      "What calls brought home, newest first: success and the values of fields, as the assistant of the call asks for them. `counts` says how many people of the campaign by field and value. Who they are: list_contacts; what proves a value: get_call, outcome.evidence.",
    inputSchema: schemaOf(fields),
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    call: async (send, given, signal) => {
      check(given, Object.keys(fields.shape), []);
      const { field, value, campaignId: ofCampaign } = given;
      if (value !== undefined && field === undefined)
        throw new MisusedTool("The argument value needs field: the name of the field that has it.");
      const query = {
        ...picked(given, ["campaignId", "success", "cursor"]),
        ...(value === undefined ? {} : { [`outcome.${String(field)}`]: value }),
      };
      const found =
        ofCampaign === undefined ? null : dataOf((await send(statistics, [ofCampaign, {}, { signal }])).data);
      const counts = isObject(found) ? (found["outcomes"] ?? null) : null;
      return withinBounds(rowsWanted(given["limit"]), async (rows) => {
        const page = pageOf((await send(calls, [{ ...query, limit: rows }, { signal }])).data);
        return { counts, ...page, rows: page.rows.map((call) => outcomeOf(call, field)) };
      });
    },
  };
}

function outcomeOf(call: unknown, field: unknown): unknown {
  if (!isObject(call) || !isObject(call["outcome"])) return call;
  const { status, success, fields } = call["outcome"];
  return {
    ...picked(call, ["callId", "campaignId", "contactId", "to", "endedAt"]),
    outcome: {
      status,
      success,
      fields: typeof field === "string" && isObject(fields) ? picked(fields, [field]) : fields,
    },
  };
}

function operationOf(operationId: keyof Routes) {
  const operation = OPERATIONS.find(({ name }) => name === operationId);
  if (operation === undefined) throw new Error(`There is no operation ${operationId}`);
  return operation;
}

function schemaOf(fields: z.ZodType) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(fields, { io: "input", unrepresentable: "any" });
  return { ...schema, type: "object" as const, additionalProperties: false };
}

/** The fields of a body or a query; a body without fields has none. */
function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** A page is shorter than the API's, unless more is asked for. */
function withRows(query: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, z.ZodType>> {
  const { limit } = query;
  if (limit === undefined) return query;
  return { ...query, limit: limit.describe(`${limit.description ?? ""} (default ${ROWS})`) };
}

function pathFields({ path, params = {} }: Route): Readonly<Record<string, z.ZodType>> {
  const names = argumentsOf(path);
  return Object.fromEntries(
    paramsOf(path).map((param, index) => {
      const name = names[index] ?? param;
      const noun = name.replace(/Id$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      const about = param === "id" ? `Id of the ${noun}` : PATH_PARAMETERS[param];
      return [
        name,
        z
          .string()
          .min(1)
          .describe(params[param] ?? about ?? ""),
      ];
    }),
  );
}

function check(given: Arguments, known: readonly string[], required: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  const takes = known.length === 0 ? "It takes no arguments." : `It takes ${known.join(", ")}.`;
  if (unknown !== undefined) throw new MisusedTool(`There is no argument ${unknown}. ${takes}`);
  const missing = required.find((name) => given[name] === undefined || given[name] === "");
  if (missing !== undefined) throw new MisusedTool(`The argument ${missing} is missing. ${takes}`);
}

function rowsWanted(limit: unknown): number {
  if (limit === undefined) return ROWS;
  if (typeof limit === "number" && Number.isInteger(limit) && limit > 0) return limit;
  throw new MisusedTool("The argument limit must be a whole number above 0.");
}

const picked = (given: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What an answer says beside that it is one; the outbound start says it flat. */
function dataOf(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const { success: _success, data, ...flat } = answer;
  return data === undefined ? flat : data;
}

function pageOf(answer: unknown): { readonly rows: readonly unknown[]; readonly nextCursor: unknown } {
  const { data, pagination } = isObject(answer) ? answer : {};
  return {
    rows: Array.isArray(data) ? data : [],
    nextCursor: isObject(pagination) ? (pagination["nextCursor"] ?? null) : null,
  };
}

function messagesOf(call: unknown): unknown {
  if (!isObject(call)) return call;
  return { callId: call["callId"], status: call["status"], messages: call["messages"] };
}

/** In words for an assistant. */
export function problemOf(error: unknown): string {
  if (error instanceof RingfoldError && error.status === 401)
    return `${error.message}. The key in RINGFOLD_API_KEY is not good for this service.`;
  return error instanceof Error ? error.message : String(error);
}
