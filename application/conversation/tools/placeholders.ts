import type { JsonValue } from "../../../domain/shared/json.ts";

/** `{argument}`, which the model fills, and `{{variable}}`, which the engine knows. */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.]+)\s*\}\}|\{([A-Za-z0-9_]+)\}/g;

/** What a placeholder stands for; undefined: nothing, and it is removed. */
export type Fill = (name: string, kind: "argument" | "variable") => string | undefined;

/** Names of the arguments in a text, in their order, each once. */
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

/** In one pass: a value that itself holds braces is not filled again. */
export function filled(text: string, fill: Fill): string {
  return text.replaceAll(PLACEHOLDER, (_whole, variable?: string, argument?: string) =>
    argument === undefined ? (fill(variable ?? "", "variable") ?? "") : (fill(argument, "argument") ?? ""),
  );
}

/** Every string of it filled; nothing can leave its string. */
export function filledJson(value: JsonValue, fill: Fill): JsonValue {
  if (typeof value === "string") return filled(value, fill);
  if (typeof value !== "object" || value === null) return value;
  if (isArray(value)) return value.map((item) => filledJson(item, fill));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledJson(item, fill)]));
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The one variable that a text consists of; null: it is anything else. */
export function onlyVariable(text: string): string | null {
  return /^\{\{\s*([A-Za-z0-9_.]+)\s*\}\}$/.exec(text)?.[1] ?? null;
}

/** A value as it stands in a text: JSON's own form for what is no string; null is nothing. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
