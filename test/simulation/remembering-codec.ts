import type { Decoded, EventCodec } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";

const codec = createEventCodec();

/** The codec of one world: all its processes read the same stored events, and each event is checked once. */
export function createRememberingCodec(): EventCodec {
  const known = new Map<StoredEvent, Decoded>();
  return {
    encode: codec.encode,
    decode: (stored) => {
      const before = known.get(stored);
      if (before !== undefined) return before;
      const decoded = codec.decode(stored);
      known.set(stored, decoded);
      return decoded;
    },
  };
}
