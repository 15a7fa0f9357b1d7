import type { JsonObject, JsonValue } from "../shared/json.ts";
import { storable } from "../shared/storable-text.ts";

/**
 * The arguments that a model wrote; null: no object can be meant. They are read as their schema wants them
 * where that can mean only one thing: nothing or `null` for none, JSON in JSON, a number for a text (with
 * its digits as they were written) and the other way round, the only argument without its name.
 */
export function readArguments(text: string, schema: JsonObject): JsonObject | null {
  const value = unwrapped(text);
  if (value === null) return {};
  const properties = objectOf(schema["properties"]) ?? {};
  const given = objectOf(value) ?? onlyArgument(value, properties);
  if (given === null) return null;
  const read = Object.entries(given).map(([name, each]) => {
    const wanted = Object.hasOwn(properties, name) ? objectOf(properties[name])?.["type"] : undefined;
    return [name, asWanted(each, wanted)] as const;
  });
  return storable(Object.fromEntries(read));
}

/** Some models write their JSON as a text in JSON. undefined: no JSON. */
function unwrapped(text: string): JsonValue | undefined {
  if (text.trim() === "") return null;
  const value = parsed(text);
  return typeof value === "string" ? (parsed(value) ?? value) : value;
}

/** Numbers whose digits JavaScript would change are kept as texts. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, (_key, value: JsonValue, context?: { readonly source?: string }) => {
      const source = context?.source;
      return typeof value === "number" && source !== undefined && String(value) !== source ? source : value;
    });
  } catch {
    return undefined;
  }
}

function onlyArgument(value: JsonValue | undefined, properties: JsonObject): JsonObject | null {
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0 || value === undefined || typeof value === "object")
    return null;
  return { [name]: value };
}

function asWanted(value: JsonValue, wanted: JsonValue | undefined): JsonValue {
  if (wanted === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "string") return value;
  if (wanted === "boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) && Number.isFinite(Number(value));
  return (wanted === "number" || wanted === "integer") && isNumber ? Number(value) : value;
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
