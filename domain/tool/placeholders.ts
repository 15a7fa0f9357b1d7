import type { JsonValue } from "../shared/json.ts";

/** `{argument}` is filled by the model, `{{variable}}` by the engine. */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.]+)\s*\}\}|\{([A-Za-z0-9_]+)\}/g;

/** The value of a placeholder; undefined: none, so the placeholder is removed. */
export type Fill = (name: string, kind: "argument" | "variable") => string | undefined;

/** Names of the arguments in a text, in order, each once. */
export function argumentsIn(text: string): readonly string[] {
  const names = [...text.matchAll(PLACEHOLDER)].flatMap(([, , argument]) => argument ?? []);
  return [...new Set(names)];
}

/** Names of the arguments in every string of a JSON value (not in its keys). */
export function argumentsInJson(value: JsonValue): readonly string[] {
  if (typeof value === "string") return argumentsIn(value);
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(argumentsInJson))];
}

/** In one pass: braces inside a value are not filled again. */
export function filled(text: string, fill: Fill): string {
  return text.replaceAll(PLACEHOLDER, (_whole, variable?: string, argument?: string) =>
    argument === undefined ? (fill(variable ?? "", "variable") ?? "") : (fill(argument, "argument") ?? ""),
  );
}

/** Fills every string of a JSON value; a value stays inside its string. */
export function filledJson(value: JsonValue, fill: Fill): JsonValue {
  if (typeof value === "string") return filled(value, fill);
  if (typeof value !== "object" || value === null) return value;
  if (isArray(value)) return value.map((item) => filledJson(item, fill));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledJson(item, fill)]));
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The variable, if the text consists of exactly one; else null. */
export function onlyVariable(text: string): string | null {
  return /^\{\{\s*([A-Za-z0-9_.]+)\s*\}\}$/.exec(text)?.[1] ?? null;
}

/** A value as text: JSON for anything but strings; null is empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
