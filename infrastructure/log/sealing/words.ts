import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";

/** Path of a personal text (or of a list of personal data) in an event's data. */
export type WordPath = {
  /** Its name in the encrypted text. */
  readonly name: string;
  readonly steps: readonly string[];
  /** What the field is while it is encrypted; undefined: absent. */
  readonly instead: null | readonly [] | undefined;
};

export function wordPath(text: string): WordPath {
  if (text.endsWith("[]")) return pathOf(text.slice(0, -2), NONE);
  return text.endsWith("?") ? pathOf(text.slice(0, -1), undefined) : pathOf(text, null);
}

function pathOf(name: string, instead: WordPath["instead"]): WordPath {
  return { name, steps: name.split("."), instead };
}

const NONE: readonly [] = [];

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
  for (const { name, steps, instead } of paths) {
    const word = wordAt(data, steps);
    if (word === undefined || isNothing(word, instead)) continue;
    words[name] = word;
    rest = changed(rest, steps, instead);
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
  return paths.some(({ steps, instead }) => !isNothing(wordAt(data, steps) ?? null, instead));
}

/** Nothing to encrypt: an empty list says no more than the one that stands for it. */
function isNothing(word: JsonValue, instead: WordPath["instead"]): boolean {
  return word === null || (instead === NONE && Array.isArray(word) && word.length === 0);
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
