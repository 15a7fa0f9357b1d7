import type { JsonObject, JsonValue } from "../shared/json.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Fills the placeholders `{{ key }}` of a text (interface.md §5): inner spaces allowed, case folded without a locale, of keys that differ only in
 * case the exact one wins, else the first. One pass: braces and `$` in a value are only text. What has no value is removed.
 */
export function personalise(template: string, values: JsonObject): string {
  return template.replace(PLACEHOLDER, (_placeholder, key: string) => textOf(findValue(values, key.trim())));
}

/** `{{name}}` of a greeting is the contact's name. */
export function personalGreeting(template: string, name: string | null): string {
  return personalise(template, { name });
}

function findValue(values: JsonObject, key: string): JsonValue | undefined {
  if (Object.hasOwn(values, key)) return values[key];
  const folded = key.toLowerCase();
  const match = Object.keys(values).find((candidate) => candidate.toLowerCase() === folded);
  return match === undefined ? undefined : values[match];
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
