import {
  EventStoreError,
  type EventToAppend,
  MAX_APPEND_BYTES,
  MAX_EVENT_BYTES,
  type StreamName,
} from "../../application/ports/event-store.ts";

/**
 * Refuses, before anything is sent, what one of the databases would refuse, change or never answer (event-log.md §1): no events, an empty name, what
 * JSON cannot carry, NUL and lone surrogates, and what is too large. Sizes are those of the data as JSON in UTF-8.
 */
export function refuseUnstorable(stream: StreamName, events: readonly EventToAppend[]): void {
  if (stream === "") throw invalid(0, "the stream has no name");
  if (events.length === 0) throw invalid(0, "no events to append");
  let total = 0;
  events.forEach((event, index) => {
    if (event.type === "") throw invalid(index, "the event has no type");
    const problem = problemOf(event.data, "data", []) ?? problemOf(event.metadata, "metadata", []);
    if (problem !== undefined) throw invalid(index, problem);
    const bytes = Buffer.byteLength(JSON.stringify(event.data), "utf8");
    if (bytes > MAX_EVENT_BYTES) throw tooLarge("event", bytes, MAX_EVENT_BYTES);
    total += bytes;
  });
  if (total > MAX_APPEND_BYTES) throw tooLarge("append", total, MAX_APPEND_BYTES);
}

function problemOf(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string") return problemOfText(value, path);
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== "object") return `${path} is ${typeof value}`;
  if (above.includes(value)) return `${path} contains itself`;
  const inside = [...above, value];
  for (const [key, member] of Object.entries(value)) {
    const problem = problemOfText(key, `a key of ${path}`) ?? problemOf(member, `${path}.${key}`, inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfText(text: string, path: string): string | undefined {
  if (text.includes("\u0000")) return `${path} contains \\u0000`;
  return text.isWellFormed() ? undefined : `${path} contains half a character (a lone surrogate)`;
}

function invalid(index: number, reason: string): EventStoreError {
  return new EventStoreError({ kind: "invalid_event", index, reason });
}

function tooLarge(what: "event" | "append", bytes: number, limit: number): EventStoreError {
  return new EventStoreError({ kind: "too_large", what, bytes, limit });
}
