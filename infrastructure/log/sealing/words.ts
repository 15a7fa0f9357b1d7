import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";

/** Path of a personal text in an event's data. */
export type WordPath = {
  /** Its name in the encrypted text. */
  readonly name: string;
  readonly steps: readonly string[];
  /** While it is encrypted the field is absent; all other fields are null then. */
  readonly optional: boolean;
};

export function wordPath(text: string): WordPath {
  const optional = text.endsWith("?");
  const name = optional ? text.slice(0, -1) : text;
  return { name, steps: name.split("."), optional };
}

export type Parted = {
  /** The data without the texts. */
  readonly rest: JsonObject;
  /** By path name; empty: there are none. */
  readonly words: JsonObject;
};

/** Takes the texts out of a copy; the data itself is not changed. */
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

/** Puts the texts back. `own` belongs to the caller and is changed; nested objects are copied. */
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

/** The parent of the last step of a path, copied on the way; null: there is none. */
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

/** A copy with this value; undefined: without the field. */
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
