import type { JsonObject, JsonValue } from "../shared/json.ts";
import { beginningOf } from "../shared/storable-text.ts";
import { utf8Length } from "../shared/utf8.ts";
import { bindNamed } from "./named-parameters.ts";
import { argumentsIn, argumentsInJson } from "./placeholders.ts";
import { isPathValue } from "./request-url.ts";
import { apiRequestConfig, databaseQueryConfig, type ToolType } from "./tool-config.ts";

type ToolShape = { readonly type: ToolType; readonly config: JsonObject };

/** Variables that every call has; contact fields and handoff variables are added. */
export const CALL_VARIABLES = [
  "caller_number",
  "own_number",
  "call_id",
  "campaign_id",
  "now",
  "timezone",
] as const;

const LONGEST_ARGUMENT_BYTES = 8_192;

/**
 * Names that the model fills, in order: the `{placeholders}` of the config, and `:names` of a query
 * without another source.
 */
export function argumentNames({ type, config }: ToolShape): readonly string[] {
  if (type === "API_REQUEST") {
    const request = apiRequestConfig(config);
    if (request === null) return [];
    const { url, query, body } = request;
    const found = [argumentsIn(url), argumentsInJson(query), body === undefined ? [] : argumentsInJson(body)];
    return [...new Set(found.flat())];
  }
  if (type !== "DATABASE_QUERY") return [];
  const query = databaseQueryConfig(config);
  if (query === null) return [];
  const bound = bindNamed(query.query);
  const open = bound.ok ? bound.names.filter((name) => isOpen(name, query.parameters)) : [];
  return [...new Set([...argumentsInJson(query.parameters), ...open])];
}

function isOpen(name: string, parameters: Readonly<Record<string, string>>): boolean {
  return !Object.hasOwn(parameters, name) && !CALL_VARIABLES.some((known) => known === name);
}

/** JSON schema of the arguments: every one is a required string, and there are no others. */
export function argumentsSchema(tool: ToolShape): JsonObject {
  const names = argumentNames(tool);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
    additionalProperties: false,
  };
}

export type CheckedArguments =
  | { readonly ok: true; readonly value: JsonObject }
  /**
   * `name`: the argument that is missing or refused; null: the arguments are not an object. `reason` is a
   * sentence for the model.
   */
  | { readonly ok: false; readonly reason: string; readonly name: string | null };

/**
 * Checks the model's arguments against the schema, and values of an address against what is allowed there.
 */
export function checkArguments(tool: ToolShape, given: JsonValue): CheckedArguments {
  if (!isObject(given)) return { ok: false, reason: "The arguments must be a JSON object", name: null };
  const names = argumentNames(tool);
  const inPath = tool.type === "API_REQUEST" ? argumentsIn(apiRequestConfig(tool.config)?.url ?? "") : [];
  for (const name of names) {
    const problem = problemOf(Object.hasOwn(given, name) ? given[name] : undefined, inPath.includes(name));
    if (problem !== null) return { ok: false, reason: `The argument "${name}" ${problem}`, name };
  }
  const further = Object.keys(given).find((name) => !names.includes(name));
  if (further !== undefined)
    return {
      ok: false,
      reason: `There is no argument "${beginningOf(further, 64)}"; there are: ${names.join(", ")}`,
      name: further,
    };
  return { ok: true, value: given };
}

function problemOf(value: JsonValue | undefined, inPath: boolean): string | null {
  if (value === undefined) return "is missing";
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed() || value.includes("\u0000")) return "holds characters that are none";
  if (utf8Length(value) > LONGEST_ARGUMENT_BYTES) return "is longer than 8 KiB";
  if (inPath && !isPathValue(value)) return "must not be empty, `.` or `..`";
  return null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
