import type { RecordedEvent } from "@eventstore/db-client";
import type { EventMetadata, StoredEvent } from "../../../application/ports/event-store.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { encodePosition } from "./positions.ts";

/**
 * Ours: in a stream with our prefix, and not an event of the server (a tombstone leaves `$streamDeleted` in
 * the deleted stream).
 */
export function isOurs(prefix: string, event: RecordedEvent): boolean {
  return event.streamId.startsWith(prefix) && !event.type.startsWith("$");
}

/**
 * A foreign event in one of our streams that is not a JSON object becomes `{ unreadable: true }`. No schema
 * accepts that, so the codec reports it as damaged and nothing crashes.
 */
export function toStoredEvent(prefix: string, event: RecordedEvent): StoredEvent {
  return {
    id: event.id,
    type: event.type,
    data: parseJsonObject(event.data) ?? { unreadable: true },
    metadata: parseMetadata(parseJsonObject(event.metadata) ?? {}),
    stream: event.streamId.slice(prefix.length),
    revision: Number(event.revision),
    position: event.position === undefined ? "" : encodePosition(event.position),
    created: instantFromMillis(event.created.getTime()),
  };
}

function parseJsonObject(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array)
    return undefined;
  return value as JsonObject;
}

function parseMetadata(metadata: JsonObject): EventMetadata {
  const { correlationId, causationId, actor, owner, schemaVersion, campaignId, ...others } = metadata;
  return {
    ...others,
    correlationId: typeof correlationId === "string" ? correlationId : "",
    causationId: typeof causationId === "string" ? causationId : null,
    actor: typeof actor === "string" ? actor : "",
    owner: typeof owner === "string" ? owner : "",
    schemaVersion: typeof schemaVersion === "number" ? schemaVersion : 0,
    ...(typeof campaignId === "string" ? { campaignId } : {}),
  };
}
