import type { Decoded, EventCodec, RecordedEvent } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { type ExactCheck, exactCheck } from "./stored/exact-check.ts";
import { currentVersion, type StoredType } from "./stored/stored-type.ts";
import { storedTypes } from "./stored/stored-types.ts";
import { upcast } from "./upcasters.ts";

/**
 * The one way between the log and the domain: every event is checked when it is read. A version that is newer than this release
 * is damage, not an unknown type: deciding without it would be wrong.
 */
export function createEventCodec(
  types: Readonly<Record<string, StoredType<unknown>>> = storedTypes,
): EventCodec {
  const known = new Map(Object.entries(types).map(([name, type]) => [name, readableAs(type)]));
  return {
    encode: (event) => ({
      type: event.type,
      data: toJson(event.data),
      schemaVersion: known.get(event.type)?.version ?? 1,
    }),
    decode(stored) {
      const type = known.get(stored.type);
      return type === undefined ? { kind: "unknown_type", stored } : decodeAs(type, stored);
    },
  };
}

/** A stored type with what is worked out from it once. */
type Readable = {
  readonly type: StoredType<unknown>;
  readonly version: number;
  readonly isExact: ExactCheck;
};

function readableAs(type: StoredType<unknown>): Readable {
  return { type, version: currentVersion(type), isExact: exactCheck(type.schema) };
}

function decodeAs({ type, version: current, isExact }: Readable, stored: StoredEvent): Decoded {
  const version = stored.metadata.schemaVersion;
  if (!Number.isInteger(version) || version < 1 || version > current)
    return damaged(stored, `schemaVersion ${version}; this release knows 1 to ${current}`);
  const upcasted = upcast(type, stored.data, version);
  if (!upcasted.ok) return damaged(stored, upcasted.problem);
  if (isExact(upcasted.data)) return { kind: "event", recorded: recordedAs(stored, upcasted.data) };
  const checked = type.schema.safeParse(upcasted.data);
  if (!checked.success) return damaged(stored, checked.error.message);
  return { kind: "event", recorded: recordedAs(stored, checked.data) };
}

/** The schema of `stored.type` answers `data`: that is what makes it this event of the domain. */
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
