import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import { storableText } from "../../../domain/shared/storable-text.ts";
import type { ModelToolCall } from "../../ports/language-model.ts";

/** A function call that a model wrote as text. */
type WrittenCall = { readonly name: string; readonly arguments: string };

/**
 * The calls in a part of a text that is one by its marks. Models write them as JSON, as a name with JSON
 * after it, or as a name with parameters in tags. Empty: no function that was offered is named, or its
 * arguments cannot be read.
 */
export function writtenCalls(text: string, functions: ReadonlySet<string>): readonly ModelToolCall[] {
  const value = parsed(text);
  const found = value === undefined ? [namedCall(text, functions)] : callsIn(value);
  const calls = found.flatMap((call) => (call !== null && functions.has(call.name) ? [call] : []));
  return calls.map((call, place) => ({ id: `call_${place + 1}`, ...call }));
}

/** Whether a JSON value in a text is meant as a call, by its fields. */
export function isMeantAsCall(text: string): boolean {
  const value = parsed(text);
  return value !== undefined && callsIn(value).length > 0;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `{name, arguments}` under the names that models give these fields; also in a list or a wrapper. */
function callsIn(value: JsonValue): readonly WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isObject(item) ? callsOf(item) : []));
  return isObject(value) ? callsOf(value) : [];
}

function callsOf(value: JsonObject): readonly WrittenCall[] {
  const { tool_calls: several, function: called } = value;
  if (Array.isArray(several)) return several.flatMap((item) => (isObject(item) ? callsOf(item) : []));
  if (isObject(called)) return callsOf(called);
  const name = [called, value["name"], value["tool"], value["tool_name"]].find(
    (each) => typeof each === "string",
  );
  const given = [value["arguments"], value["parameters"], value["args"], value["input"]].find(
    (each) => each !== undefined,
  );
  if (typeof name !== "string" || given === undefined) return [];
  return [{ name: storableText(name), arguments: typeof given === "string" ? given : JSON.stringify(given) }];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const PARAMETER = /<parameter(?:=| name=")([\w-]+)"?>([^<]*)<\/parameter>/g;

function namedCall(text: string, functions: ReadonlySet<string>): WrittenCall | null {
  const begins = text.search(/[{]|<parameter/);
  const head = begins < 0 ? text : text.slice(0, begins);
  const name = head.match(/[\w-]+/g)?.findLast((word) => functions.has(word));
  if (name === undefined) return null;
  const rest = text.slice(head.length);
  if (rest.startsWith("{")) {
    const given = rest.slice(0, rest.lastIndexOf("}") + 1);
    return parsed(given) === undefined ? null : { name, arguments: given };
  }
  const parameters = [...rest.matchAll(PARAMETER)].map(
    ([, key = "", value = ""]) => [key, value.trim()] as const,
  );
  return { name, arguments: JSON.stringify(Object.fromEntries(parameters)) };
}
