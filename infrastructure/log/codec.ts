import type { Decoded, Encoded, EventCodec } from "../../application/ports/event-codec.ts";
import { EventStoreError, type StoredEvent } from "../../application/ports/event-store.ts";
import { type Subject, SubjectKeyError, type SubjectKeys } from "../../application/ports/subject-keys.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { jsonOfMember } from "./append-guard.ts";
import {
  decodeStored,
  eventOf,
  type Keys,
  openStored,
  type Readable,
  readableTypes,
  recordedAs,
} from "./event-reader.ts";
import { holdsWords, subjectOf } from "./sealing/open-words.ts";
import { seal } from "./sealing/seal.ts";
import { takeWords } from "./sealing/words.ts";
import type { StoredType } from "./stored/stored-type.ts";
import { storedTypes } from "./stored/stored-types.ts";

const NO_KEYS: Keys = new Map();

/**
 * Converts between log and domain: every event is checked when it is read, and personal texts are encrypted
 * when it is written. What it has encoded itself, and gets back as the same object, it knows already: such an
 * event is neither checked nor decrypted again, and its texts are there as long as their key is.
 */
export function createEventCodec(
  keys: SubjectKeys,
  types: Readonly<Record<string, StoredType<unknown>>> = storedTypes,
): EventCodec {
  const known = readableTypes(types);
  const own: OwnEvents = new WeakMap();
  const keysOf = async (page: readonly Pick<StoredEvent, "type" | "data">[]): Promise<Keys> => {
    const subjects = subjectsOf(known, page);
    return subjects.size === 0 ? NO_KEYS : keys.of([...subjects]);
  };
  return {
    async encode(events) {
      const plain = events.map(({ event }) => ({ type: event.type, data: toJson(event.data) }));
      const at = await keysOf(plain);
      return events.map(({ id, event }, index) => {
        const { isExact, ...encoded } = encodeOne(known.get(event.type), id, event, index, at);
        const { data, schemaVersion } = encoded;
        if (isExact) own.set(data, { id: id.toLowerCase(), event, schemaVersion });
        return encoded;
      });
    },
    async decode(page) {
      const at = await keysOf(page);
      return page.map((stored) => decodeOwn({ own, known }, stored, at) ?? decodeStored(known, stored, at));
    },
    async withWords(page) {
      const at = await keysOf(page);
      return page.map((stored) => {
        const type = known.get(stored.type);
        return type === undefined || type.paths.length === 0
          ? stored
          : { ...stored, data: openStored(type, stored, at).data };
      });
    },
    asJson: (event) => ({ type: event.type, data: toJson(event.data) }),
    withoutWords(event) {
      const data = toJson(event.data);
      return { type: event.type, data: takeWords(data, known.get(event.type)?.paths ?? []).rest };
    },
  };
}

/** For a log that nothing outlives: events as they are, whoever made them. Words are not encrypted. */
export const plainCodec: EventCodec = {
  encode: async (events) =>
    events.map(({ event }) => ({ type: event.type, data: toJson(event.data), schemaVersion: 1 })),
  decode: async (page) =>
    page.map((stored) => ({ kind: "event", recorded: recordedAs(stored, eventOf(stored, stored.data)) })),
  withWords: async (page) => page,
  asJson: (event) => ({ type: event.type, data: toJson(event.data) }),
  withoutWords: (event) => ({ type: event.type, data: toJson(event.data) }),
};

/** Events that were encoded here, by the data of their stored form. */
type OwnEvents = WeakMap<
  JsonObject,
  { readonly id: string; readonly event: DomainEvent; readonly schemaVersion: number }
>;

/** null: it was not encoded here as it stands, or its texts may not be read any more. */
function decodeOwn(
  { own, known }: { readonly own: OwnEvents; readonly known: ReadonlyMap<string, Readable> },
  stored: StoredEvent,
  keys: Keys,
): Decoded | null {
  const written = own.get(stored.data);
  if (written === undefined) return null;
  const { id, event, schemaVersion } = written;
  const isSame =
    stored.id === id && stored.type === event.type && stored.metadata.schemaVersion === schemaVersion;
  return isSame && mayBeRead(known.get(stored.type), stored.data, keys)
    ? { kind: "event", recorded: recordedAs(stored, event) }
    : null;
}

function mayBeRead(type: Readable | undefined, data: JsonObject, keys: Keys): boolean {
  const subject = type === undefined ? null : subjectOf(data, type);
  return data["sealed"] === undefined || (subject !== null && keys.get(subject)?.kind === "open");
}

function subjectsOf(
  known: ReadonlyMap<string, Readable>,
  page: readonly Pick<StoredEvent, "type" | "data">[],
): Set<Subject> {
  const subjects = new Set<Subject>();
  for (const { type, data } of page) {
    const readable = known.get(type);
    if (readable === undefined || readable.paths.length === 0 || !holdsWords(data, readable)) continue;
    const subject = subjectOf(data, readable);
    if (subject !== null) subjects.add(subject);
  }
  return subjects;
}

/** `isExact`: a reader gets the event as it is. */
type EncodedHere = Encoded & { readonly isExact: boolean };

/** Later texts of an erased subject are not stored. */
function encodeOne(
  type: Readable | undefined,
  eventId: string,
  event: DomainEvent,
  index: number,
  keys: Keys,
): EncodedHere {
  const schemaVersion = type?.version ?? 1;
  const data = toJson(event.data);
  if (type === undefined) return { type: event.type, data, schemaVersion, isExact: false };
  const isExact = isReadAsItIs(type, data, index);
  if (type.paths.length === 0) return { type: event.type, data, schemaVersion, isExact };
  const { rest, words } = takeWords(data, type.paths);
  if (Object.keys(words).length === 0) return { type: event.type, data, schemaVersion, isExact };
  const subject = subjectOf(data, type);
  const key = subject === null ? undefined : keys.get(subject);
  if (key?.kind === "erased") return { type: event.type, data: rest, schemaVersion, isExact: false };
  if (subject === null || key?.kind !== "open") throw new SubjectKeyError(`no key of ${subject ?? "nobody"}`);
  const text = jsonOfMember(words, "data", index);
  const sealed = seal(key.key, { subject, eventId, type: event.type }, text);
  return { type: event.type, data: { ...rest, sealed }, schemaVersion, isExact };
}

/**
 * false: its schema changes it, or may do so. What is stored can be read back: an event that its schema
 * refuses, and that every reader would park, is `invalid_event`.
 */
function isReadAsItIs({ type, isExact }: Readable, data: JsonObject, index: number): boolean {
  if (isExact(data)) return true;
  const read = type.schema.safeParse(data);
  if (read.success) return false;
  const [issue] = read.error.issues;
  const reason = `data.${issue?.path.join(".") ?? ""} would not be read back: ${issue?.message ?? ""}`;
  throw new EventStoreError({ kind: "invalid_event", index, reason });
}

/** Events are JSON by construction (a domain rule); the append guard of every adapter checks it again. */
function toJson(data: DomainEvent["data"]): JsonObject {
  return data as unknown as JsonObject;
}
