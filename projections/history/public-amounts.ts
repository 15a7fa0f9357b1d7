import { unitsToCredits } from "../../domain/shared/credits.ts";
import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";

/** Paths of amounts in stored events, which are in ten-thousandths of a credit. A test finds missing ones. */
export const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  CallRequested: ["pricePerMinute"],
  CallCompleted: ["cost"],
  CallFailed: ["cost"],
  ContactDialed: ["evidence.availableCredits"],
  ContactSucceeded: ["cost"],
  ContactAttemptFailed: ["cost"],
};

/**
 * The data of an event with its amounts in credits. A value that is not a number (written by somebody
 * else) is not changed.
 */
export function inCredits(type: string, data: JsonObject): JsonObject {
  const places = Object.hasOwn(AMOUNTS, type) ? (AMOUNTS[type] ?? []) : [];
  return places.reduce((shown, place) => changedAt(shown, place.split(".")), data);
}

function changedAt(data: JsonObject, [name = "", ...inside]: readonly string[]): JsonObject {
  const value = data[name];
  if (value === undefined) return data;
  return { ...data, [name]: inside.length === 0 ? credits(value) : within(value, inside) };
}

function within(value: JsonValue, place: readonly string[]): JsonValue {
  return isObject(value) ? changedAt(value, place) : value;
}

function credits(value: JsonValue): JsonValue {
  return typeof value === "number" ? unitsToCredits(value) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
