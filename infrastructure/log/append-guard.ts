import {
  EventStoreError,
  type EventToAppend,
  MAX_APPEND_BYTES,
  MAX_EVENT_BYTES,
  type StreamName,
} from "../../application/ports/event-store.ts";

/** The JSON of one event as it will be stored. */
export type EventJson = { readonly data: string; readonly metadata: string };

/**
 * Refuses, before anything is sent, what one of the databases would refuse, change or never answer
 * (docs/log.md §1): no events, an empty name, a repeated id, values that JSON cannot represent,
 * NUL, lone surrogates, and too large data. Sizes are those of the data as JSON in UTF-8. Returns
 * the JSON of each event.
 */
export function checkAppend(stream: StreamName, events: readonly EventToAppend[]): readonly EventJson[] {
  const name = stream === "" ? " is empty" : problemOfText(stream);
  if (name !== undefined) throw invalid(0, `the stream's name${name}`);
  if (events.length === 0) throw invalid(0, "no events to append");
  refuseRepeatedIds(events);
  const json: EventJson[] = [];
  events.forEach((event, index) => {
    const sameMetadata = index > 0 && event.metadata === events[index - 1]?.metadata;
    json.push(jsonOf(event, index, sameMetadata ? json[index - 1]?.metadata : undefined));
  });
  let total = 0;
  for (const { data } of json) {
    const bytes = Buffer.byteLength(data, "utf8");
    if (bytes > MAX_EVENT_BYTES) throw tooLarge("event", bytes, MAX_EVENT_BYTES);
    total += bytes;
  }
  if (total > MAX_APPEND_BYTES) throw tooLarge("append", total, MAX_APPEND_BYTES);
  return json;
}

function refuseRepeatedIds(events: readonly EventToAppend[]): void {
  const ids = new Set<string>();
  events.forEach(({ id }, index) => {
    if (ids.size === ids.add(id.toLowerCase()).size) throw invalid(index, `the id ${id} is given twice`);
  });
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Both databases store event ids as UUIDs; in memory any text is accepted. */
export function checkIds(events: readonly EventToAppend[]): void {
  events.forEach(({ id }, index) => {
    refuse(index, "the id", UUID.test(id) ? undefined : ` ${JSON.stringify(id)} is no UUID`);
  });
}

/** `known`: the JSON of its metadata, if it shares the object with the event before. */
function jsonOf(
  { type, data, metadata }: EventToAppend,
  index: number,
  known: string | undefined,
): EventJson {
  refuse(index, "the type", type === "" ? " is empty" : problemOfText(type));
  return {
    data: jsonOfMember(data, "data", index),
    metadata: known ?? jsonOfMember(metadata, "metadata", index),
  };
}

/**
 * The JSON of a part of an event. JSON writes NUL and lone surrogates as `\u…`: without that, no
 * text has to be checked.
 */
export function jsonOfMember(value: object, name: string, index: number): string {
  refuse(index, name, problemOfShape(value, []));
  const json = JSON.stringify(value);
  if (json.includes("\\u")) refuse(index, name, problemOfTexts(value));
  return json;
}

function refuse(index: number, what: string, problem: string | undefined): void {
  if (problem !== undefined) throw invalid(index, what + problem);
}

/**
 * A value that JSON cannot represent, and where it is (`.contacts.7.age is NaN`); the path is built only on
 * the way out. `above`: the enclosing objects.
 */
function problemOfShape(value: unknown, above: object[]): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : ` is ${value}`;
  if (typeof value !== "object") return ` is ${typeof value}`;
  if (above.includes(value)) return " contains itself";
  if (!isPlain(value)) return " is no plain object";
  above.push(value);
  const members: readonly unknown[] = Object.values(value);
  for (let index = 0; index < members.length; index += 1) {
    const problem = problemOfShape(members[index], above);
    if (problem !== undefined) return `.${Object.keys(value)[index]}${problem}`;
  }
  above.pop();
  return undefined;
}

/** A forbidden character in a text, and where it is (`.contacts.7.name contains \u0000`). */
function problemOfTexts(value: unknown): string | undefined {
  if (typeof value === "string") return problemOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const problem = problemOfTexts(member) ?? problemOfText(key);
    if (problem !== undefined) return `.${key}${problem}`;
  }
  return undefined;
}

/**
 * A Date, a Map or anything with a method `toJSON` would come back changed; a data member of
 * that name is allowed.
 */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !hasOwnForm(value);
}

function hasOwnForm(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function problemOfText(text: string): string | undefined {
  if (text.includes("\u0000")) return " contains \\u0000";
  return text.isWellFormed() ? undefined : " contains half a character (a lone surrogate)";
}

function invalid(index: number, reason: string): EventStoreError {
  return new EventStoreError({ kind: "invalid_event", index, reason });
}

function tooLarge(what: "event" | "append", bytes: number, limit: number): EventStoreError {
  return new EventStoreError({ kind: "too_large", what, bytes, limit });
}
