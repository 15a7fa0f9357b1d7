import type { Decoded, RecordedEvent } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import type { Subject, SubjectKey } from "../../application/ports/subject-keys.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { type Opened, openWords, type SealedFields } from "./sealing/open-words.ts";
import { wordPath } from "./sealing/words.ts";
import { type ExactCheck, exactCheck } from "./stored/exact-check.ts";
import { currentVersion, type StoredType } from "./stored/stored-type.ts";

/** A stored type with values that are derived from it once. */
export type Readable = SealedFields & {
  readonly type: StoredType<unknown>;
  readonly version: number;
  readonly isExact: ExactCheck;
};

export type Keys = ReadonlyMap<Subject, SubjectKey>;

export function readableTypes(types: Readonly<Record<string, StoredType<unknown>>>): Map<string, Readable> {
  return new Map(
    Object.entries(types).map(([name, type]) => [
      name,
      {
        type,
        version: currentVersion(type),
        isExact: exactCheck(type.schema),
        paths: (type.sealed ?? []).map(wordPath),
        subject: type.subject ?? "callId",
      },
    ]),
  );
}

/**
 * Decodes a stored event with the keys of its page. A version newer than this release is damage, not an
 * unknown type, because decisions without it would be wrong; so is a ciphertext that cannot be decrypted.
 */
export function decodeStored(known: ReadonlyMap<string, Readable>, stored: StoredEvent, keys: Keys): Decoded {
  const readable = known.get(stored.type);
  if (readable === undefined) return { kind: "unknown_type", stored };
  if (readable.paths.length === 0) return decodeAs(readable, stored, stored.data);
  const opened = openStored(readable, stored, keys);
  return opened.ok ? decodeAs(readable, stored, opened.data) : damaged(stored, opened.reason);
}

export function openStored(fields: SealedFields, stored: StoredEvent, keys: Keys): Opened {
  return openWords(stored, fields, keys);
}

function decodeAs(
  { type, version: current, isExact }: Readable,
  stored: StoredEvent,
  data: StoredEvent["data"],
): Decoded {
  const version = stored.metadata.schemaVersion;
  if (!Number.isInteger(version) || version < 1 || version > current)
    return damaged(stored, `schemaVersion ${version}; this release knows 1 to ${current}`);
  const upcasted = upcast(type, data, version);
  if (!upcasted.ok) return damaged(stored, upcasted.reason);
  if (isExact(upcasted.data))
    return { kind: "event", recorded: recordedAs(stored, eventOf(stored, upcasted.data)) };
  const checked = type.schema.safeParse(upcasted.data);
  if (!checked.success) return damaged(stored, checked.error.message);
  return { kind: "event", recorded: recordedAs(stored, eventOf(stored, checked.data)) };
}

/** The schema of its type returned `data`, or its domain did: so it is this event. */
export function eventOf({ type }: StoredEvent, data: unknown): DomainEvent {
  return { type, data } as DomainEvent;
}

export function recordedAs(stored: StoredEvent, event: DomainEvent): RecordedEvent {
  const { id, metadata, stream, revision, position, created } = stored;
  return { id, metadata, stream, revision, position, created, event };
}

function damaged(stored: StoredEvent, problem: string): Decoded {
  return { kind: "damaged", stored, problem };
}

type Upcasted =
  | { readonly ok: true; readonly data: JsonObject }
  | { readonly ok: false; readonly reason: string };

/**
 * Converts data of an older stored version step by step to the current one. It was checked against the
 * schema of its own version.
 */
function upcast(type: StoredType<unknown>, data: JsonObject, version: number): Upcasted {
  const written = type.older[version - 1];
  if (written === undefined) return { ok: true, data };
  const checked = written.schema.safeParse(data);
  if (!checked.success) return { ok: false, reason: `version ${version}: ${checked.error.message}` };
  const steps = type.older.slice(version - 1);
  return { ok: true, data: steps.reduce((older, step) => step.upcast(older), checked.data) };
}
