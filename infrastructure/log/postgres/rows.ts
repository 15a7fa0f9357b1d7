import type { EventMetadata, StoredEvent } from "../../../application/ports/event-store.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

export const COLUMNS = "position, stream, revision, event_id, type, data, metadata, created";

/** A row of COLUMNS: JSON as its value, everything else as PostgreSQL's text. */
export type EventRow = [
  position: string,
  stream: string,
  revision: string,
  eventId: string,
  type: string,
  data: JsonObject,
  metadata: EventMetadata,
  created: string,
];

/** `rows` may have more columns after those of the event. */
export function toStoredEvents(rows: readonly (readonly [...EventRow, ...unknown[]])[]): StoredEvent[] {
  const instant = onceForRepeated(instantOf);
  return rows.map(([position, stream, revision, id, type, data, metadata, created]) => ({
    id,
    type,
    data,
    metadata,
    stream,
    revision: Number(revision),
    position,
    created: instant(created),
  }));
}

/**
 * Parses the JSON of one column, row by row. Events of one append usually have equal metadata; then the
 * object is shared. Only `log.append` writes here, and only what the append guard accepted.
 */
export function jsonColumn<Value extends JsonObject | EventMetadata>(): (text: string) => Value {
  return onceForRepeated((text) => JSON.parse(text) as Value);
}

/** Adjacent rows are often equal: `work` is called only for a new text. */
function onceForRepeated<Value>(work: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: work(text) };
    return last.value;
  };
}

/** `2026-09-01 10:00:00.12+00` (the session's zone is UTC; trailing zeros are not sent) with milliseconds. */
export function instantOf(text: string): Instant {
  const end = Math.min(text.indexOf("+"), 23);
  const time = text.slice(11, end);
  return `${text.slice(0, 10)}T${time.length === 8 ? `${time}.` : time}`
    .padEnd(23, "0")
    .concat("Z") as Instant;
}
