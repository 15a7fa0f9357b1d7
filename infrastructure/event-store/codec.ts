import type { Decoded, EventCodec, RecordedEvent } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { currentVersion, type StoredType } from "./stored/stored-type.ts";
import { storedTypes } from "./stored/stored-types.ts";
import { upcast } from "./upcasters.ts";

/**
 * The one way between the log and the domain: every event is checked when it is read, about 1 µs each. A version that is newer than this release
 * is damage, not an unknown type: deciding without it would be wrong.
 */
export function createEventCodec(
  types: Readonly<Record<string, StoredType<unknown>>> = storedTypes,
): EventCodec {
  const known = new Map(Object.entries(types));
  const versions = new Map([...known].map(([name, type]) => [name, currentVersion(type)]));
  return {
    encode: (event) => ({
      type: event.type,
      data: toJson(event.data),
      schemaVersion: versions.get(event.type) ?? 1,
    }),
    decode(stored) {
      const type = known.get(stored.type);
      return type === undefined ? { kind: "unknown_type", stored } : decodeAs(type, stored);
    },
  };
}

function decodeAs(type: StoredType<unknown>, stored: StoredEvent): Decoded {
  const version = stored.metadata.schemaVersion;
  const current = currentVersion(type);
  if (!Number.isInteger(version) || version < 1 || version > current)
    return damaged(stored, `schemaVersion ${version}; this release knows 1 to ${current}`);
  const upcasted = upcast(type, stored.data, version);
  if (!upcasted.ok) return damaged(stored, upcasted.problem);
  const checked = type.schema.safeParse(upcasted.data);
  if (!checked.success) return damaged(stored, checked.error.message);
  return { kind: "event", recorded: recordedAs(stored, checked.data) };
}

/** The schema of `stored.type` has answered `data`: that is what makes it this event of the domain. */
function recordedAs(stored: StoredEvent, data: unknown): RecordedEvent {
  const { id, metadata, stream, revision, position, created } = stored;
  const event = { type: stored.type, data } as DomainEvent;
  return { id, metadata, stream, revision, position, created, event };
}

/** Events are JSON by construction (domain rule); the append guard of every adapter checks it once more. */
function toJson(data: DomainEvent["data"]): JsonObject {
  return data as unknown as JsonObject;
}

function damaged(stored: StoredEvent, problem: string): Decoded {
  return { kind: "damaged", stored, problem };
}
