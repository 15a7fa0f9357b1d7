import { isDeepStrictEqual } from "node:util";
import { prepareEvents } from "../../application/log/append-events.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { EventToAppend } from "../../application/ports/event-store.ts";
import type { SecretBox } from "../../application/ports/secret-box.ts";
import type { Subject, SubjectKey } from "../../application/ports/subject-keys.ts";
import type { DomainEvent } from "../../domain/events.ts";
import { drawKey } from "../../infrastructure/account/subject-keys/draw-key.ts";
import type { SubjectKeyRing } from "../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { readableTypes } from "../../infrastructure/log/event-reader.ts";
import { storedTypes } from "../../infrastructure/log/stored/stored-types.ts";

/** Nothing outlives these keys: what would be stored of them needs no encryption. */
const NO_BOX: Pick<SecretBox, "seal"> = { seal: (plain) => Buffer.from(plain) };

export type MemorySubjectKeys = Pick<SubjectKeyRing, "of" | "draw" | "remember"> & {
  /** All that are kept, for whoever cannot wait. */
  readonly all: ReadonlyMap<Subject, SubjectKey>;
  readonly erase: (subject: Subject) => void;
  /** As if its row had been lost. */
  readonly lose: (subject: Subject) => void;
};

/** `drawMissing`: whoever is asked for gets a key, as if it had been admitted. */
export function createMemorySubjectKeys({ drawMissing = false } = {}): MemorySubjectKeys {
  const all = new Map<Subject, SubjectKey>();
  const remember: MemorySubjectKeys["remember"] = (drawn) => {
    for (const { subject, key } of drawn) if (!all.has(subject)) all.set(subject, { kind: "open", key });
  };
  return {
    all,
    async of(subjects) {
      const found = new Map<Subject, SubjectKey>();
      for (const subject of subjects) {
        if (drawMissing && !all.has(subject)) remember([drawKey(NO_BOX, subject, "usr_1")]);
        const key = all.get(subject);
        if (key !== undefined) found.set(subject, key);
      }
      return found;
    },
    draw: (subject, owner) => drawKey(NO_BOX, subject, owner),
    remember,
    erase: (subject) => all.set(subject, { kind: "erased" }),
    lose: (subject) => all.delete(subject),
  };
}

/** For events whose calls nobody admits: every call has a key. */
export function createTestCodec(keys = createMemorySubjectKeys({ drawMissing: true })): EventCodec {
  return checkedCodec(createEventCodec(keys));
}

const types = readableTypes(storedTypes);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Refuses also what would be read back otherwise than it is written: a field of the domain that the stored
 * form does not know is dropped by every reader. What is encoded cannot be changed any more: the feed of its
 * process gets it as it is.
 */
export function checkedCodec(codec: EventCodec): EventCodec {
  return {
    ...codec,
    async encode(events) {
      const encoded = await codec.encode(events);
      for (const { event } of events) {
        if (!isReadAsItIs(event))
          throw new Error(`${event.type} would be read back otherwise: ${JSON.stringify(event.data)}`);
        freezeAll(event);
      }
      return encoded;
    },
  };
}

function isReadAsItIs({ type, data }: DomainEvent): boolean {
  const readable = types.get(type);
  if (readable === undefined || readable.isExact(data)) return true;
  return isDeepStrictEqual(asJson(readable.type.schema.parse(data)), asJson(data));
}

function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeAll(member);
}

/** As a user of this owner would have written them. */
export function eventsToAppend(
  codec: EventCodec,
  owner: string,
  events: readonly DomainEvent[],
): Promise<readonly EventToAppend[]> {
  const origin = { owner, actor: "key_1", correlationId: "c", causationId: null };
  return prepareEvents({ codec, ids: systemIds }, [{ events, origin }]);
}
