import type { EventMetadata, StoredEvent } from "../../../application/ports/event-store.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

export const COLUMNS = "position, stream, revision, event_id, type, data, metadata, created";

/** A row of COLUMNS, each value as PostgreSQL's text. */
export type EventRow = [
  position: string,
  stream: string,
  revision: string,
  eventId: string,
  type: string,
  data: string,
  metadata: string,
  created: string,
];

/** Events of one append mostly share their metadata to the byte; the object is then shared as well. */
export function toStoredEvents(rows: readonly EventRow[]): StoredEvent[] {
  let text = "";
  let metadata: EventMetadata | undefined;
  return rows.map(([position, stream, revision, id, type, data, metadataText, created]) => {
    if (metadata === undefined || metadataText !== text) metadata = parseMetadata(metadataText);
    text = metadataText;
    return {
      id,
      type,
      data: parseData(data),
      metadata,
      stream,
      revision: Number(revision),
      position,
      created: instantOf(created),
    };
  });
}

/** Only `log.append` writes here, and only what the append guard let through. */
function parseData(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

function parseMetadata(text: string): EventMetadata {
  return JSON.parse(text) as EventMetadata;
}

/** `2026-09-01 10:00:00.12+00` (the session's zone is UTC; trailing zeros are not sent) with milliseconds. */
function instantOf(text: string): Instant {
  const end = Math.min(text.indexOf("+"), 23);
  const time = text.slice(11, end);
  return `${text.slice(0, 10)}T${time.length === 8 ? `${time}.` : time}`
    .padEnd(23, "0")
    .concat("Z") as Instant;
}
