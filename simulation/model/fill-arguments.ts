import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";
import type { SpokenLanguage } from "./phrases.ts";
import { sharesWords, tellingWords, wordsOf } from "./words.ts";

/** Parts of a turn that can become arguments: each is used once, in the order in which it was said. */
type Material = { readonly numbers: string[]; readonly words: string[] };

const DEEPEST = 3;

/**
 * Fills the required arguments of a function from the numbers and words of a turn; null: one cannot be
 * filled. Words that only name the function (`order` of `check_order`) are not arguments.
 */
export function filledArguments(
  parameters: JsonObject,
  turn: string,
  namingWords: readonly string[],
  language: SpokenLanguage,
): JsonObject | null {
  const material = {
    numbers: wordsOf(turn, language).filter((word) => /\d/.test(word)),
    words: tellingWords(turn, language).filter((word) => !sharesWords([word], namingWords)),
  };
  return filledObject(parameters, material, DEEPEST);
}

function filledObject(schema: JsonObject, material: Material, depth: number): JsonObject | null {
  const properties = objectOf(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const filled: Record<string, JsonValue> = {};
  for (const name of required) {
    if (typeof name !== "string") return null;
    const value = filledValue(objectOf(properties[name]), material, depth);
    if (value === null) return null;
    filled[name] = value;
  }
  return filled;
}

function filledValue(schema: JsonObject, material: Material, depth: number): JsonValue | null {
  const among = schema["enum"];
  if (Array.isArray(among)) return among.find((value) => isSaid(value, material)) ?? null;
  switch (schema["type"]) {
    case "integer":
    case "number":
      return firstNumber(material.numbers);
    case "object":
      return depth > 0 ? filledObject(schema, material, depth - 1) : null;
    case "string":
    case undefined:
      return material.numbers.shift() ?? material.words.shift() ?? null;
    default:
      return null;
  }
}

function isSaid(value: JsonValue, { numbers, words }: Material): boolean {
  const text = String(value).toLowerCase();
  return numbers.includes(text) || words.includes(text);
}

function firstNumber(numbers: string[]): number | null {
  const place = numbers.findIndex((text) => /^\d{1,15}$/.test(text));
  return place < 0 ? null : Number(numbers.splice(place, 1)[0]);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
