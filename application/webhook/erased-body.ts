import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";
import { shownOutcome } from "../call/analysis/shown-outcome.ts";

/**
 * Replacements for the texts of an erased call in a body; everything else is kept. Applying it
 * again changes nothing.
 */
const EMPTY: JsonObject = {
  messages: [],
  greetingMessage: null,
  specialInstructions: null,
  voicemailMessage: null,
  recordingUrl: null,
  recordingStatus: "none",
  outcome: shownOutcome(undefined, true),
};

/** The only case in which a body changes: the same event without its texts. */
export function erasedBody(body: string): string {
  const whole: JsonValue = JSON.parse(body);
  if (!isObject(whole)) return body;
  const data = whole["data"];
  if (!isObject(data)) return body;
  const emptied = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, erasedValue(name, value)]),
  );
  return JSON.stringify({ ...whole, data: { ...emptied, erased: true } });
}

function erasedValue(name: string, value: JsonValue): JsonValue {
  if (name === "callback" && isObject(value)) return { ...value, note: null };
  const emptied = EMPTY[name];
  return emptied === undefined ? value : emptied;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
