import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";

/** What a body about an erased call says in place of its words; whatever else stands in it stays. Emptied again it is the same. */
const EMPTY: JsonObject = {
  messages: [],
  greetingMessage: null,
  specialInstructions: null,
  voicemailMessage: null,
  recordingUrl: null,
  recordingStatus: "none",
};

/** The one exception to equal bytes: the same event, emptied. */
export function erasedBody(body: string): string {
  const whole: JsonValue = JSON.parse(body);
  if (!isObject(whole)) return body;
  const data = whole["data"];
  if (!isObject(data)) return body;
  const emptied = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, EMPTY[name] === undefined ? value : EMPTY[name]]),
  );
  return JSON.stringify({ ...whole, data: { ...emptied, erased: true } });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
