import { canonicalJson } from "../shared/canonical-json.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";

/** Whether everything in `part` is so in `whole`: objects may have more, all else is equal as JSON. */
export function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (!isObject(part) || !isObject(whole)) return areEqual(part, whole);
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isPartOf(value, whole[name] ?? null),
  );
}

/** Equal as JSON, whatever the order of names. */
export function areEqual(one: JsonValue, other: JsonValue): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
