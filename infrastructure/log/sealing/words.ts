import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";

/** Where a personal word stands in an event's data. */
export type WordPath = {
  /** As it is written beside the word in the sealed text. */
  readonly name: string;
  readonly steps: readonly string[];
  /** Absent while it is not there; any other is null. */
  readonly optional: boolean;
};

export function wordPath(text: string): WordPath {
  const optional = text.endsWith("?");
  const name = optional ? text.slice(0, -1) : text;
  return { name, steps: name.split("."), optional };
}

export type Parted = {
  /** The data without the words. */
  readonly rest: JsonObject;
  /** By the names of their paths; empty when there are none. */
  readonly words: JsonObject;
};

/** Takes the words out of a copy; the data itself stays as it is. */
export function takeWords(data: JsonObject, paths: readonly WordPath[]): Parted {
  const words: Record<string, JsonValue> = {};
  let rest = data;
  for (const { name, steps, optional } of paths) {
    const word = wordAt(data, steps);
    if (word === undefined || word === null) continue;
    words[name] = word;
    rest = changed(rest, steps, optional ? undefined : null);
  }
  return { rest, words };
}

/** Puts the words back where they stood. `own` is the caller's and is changed; what stands deeper in it is not. */
export function putWords(own: OwnJson, paths: readonly WordPath[], words: JsonObject): void {
  for (const { name, steps } of paths) {
    const word = words[name];
    const last = steps.at(-1);
    if (word === undefined || last === undefined) continue;
    const holder = holderOf(own, steps);
    if (holder !== null) holder[last] = word;
  }
}

export type OwnJson = Record<string, JsonValue>;

/** Where the last step of a path leads from, copied on the way; null: nowhere. */
function holderOf(own: OwnJson, steps: readonly string[]): OwnJson | null {
  let holder = own;
  for (const step of steps.slice(0, -1)) {
    const inner = holder[step];
    if (!isObject(inner)) return null;
    const copy: OwnJson = { ...inner };
    holder[step] = copy;
    holder = copy;
  }
  return holder;
}

export function hasWords(data: JsonObject, paths: readonly WordPath[]): boolean {
  return paths.some(({ steps }) => (wordAt(data, steps) ?? null) !== null);
}

function wordAt(data: JsonObject, steps: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = data;
  for (const step of steps) found = isObject(found) ? found[step] : undefined;
  return found;
}

/** A copy with this value there; undefined: without the field. */
function changed(data: JsonObject, [step, ...deeper]: readonly string[], value?: JsonValue): JsonObject {
  if (step === undefined) return data;
  if (deeper.length > 0) {
    const inner = data[step];
    return isObject(inner) ? { ...data, [step]: changed(inner, deeper, value) } : data;
  }
  if (value !== undefined) return { ...data, [step]: value };
  const { [step]: _gone, ...rest } = data;
  return rest;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
