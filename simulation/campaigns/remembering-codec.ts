import type { Decoded, EventCodec } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { decodeStored, readableTypes } from "../../infrastructure/log/event-reader.ts";
import { storedTypes } from "../../infrastructure/log/stored/stored-types.ts";
import { checkedCodec, type MemorySubjectKeys } from "../memory/subject-keys.ts";

export type RememberingCodec = EventCodec & {
  /** For synchronous observers. */
  readonly decodeNow: (stored: StoredEvent) => Decoded;
};

const types = readableTypes(storedTypes);

/** The codec of one world: all its processes read the same stored events, and each event is checked once. */
export function createRememberingCodec(keys: MemorySubjectKeys): RememberingCodec {
  const known = new Map<StoredEvent, Decoded>();
  const decodeNow = (stored: StoredEvent): Decoded => {
    const before = known.get(stored);
    if (before !== undefined) return before;
    const decoded = decodeStored(types, stored, keys.all);
    known.set(stored, decoded);
    return decoded;
  };
  return { ...checkedCodec(createEventCodec(keys)), decode: async (page) => page.map(decodeNow), decodeNow };
}
