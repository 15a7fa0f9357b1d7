import { v4, v5, v7 } from "uuid";
import type { Ids } from "../application/ports/ids.ts";
import type { IdOf } from "../domain/shared/ids.ts";
import { randomBytesOf } from "./random-bytes.ts";

/** Crockford's base32 in lower case, as in TypeID (jetify/typeid spec 0.3). */
const ALPHABET = new TextEncoder().encode("0123456789abcdefghjkmnpqrstvwxyz");
const ascii = new TextDecoder("latin1");
const suffix = new Uint8Array(26);

/** Namespace of derived ids; changing it would change every derived event id. */
const NAMESPACE = "6f1f1a3e-5d0b-4c53-9d0e-6a9a1d5b7c21";

/** The 128 bits of a UUID as the 26 characters of a TypeID suffix: five bits each, the first three. */
export function base32OfUuid(uuid: Uint8Array): string {
  let place = suffix.length - 1;
  let rest = 0;
  let bits = 0;
  for (let index = uuid.length - 1; index >= 0; index -= 1) {
    rest |= (uuid[index] ?? 0) << bits;
    for (bits += 8; bits >= 5; bits -= 5) {
      suffix[place] = ALPHABET[rest & 31] ?? 0;
      place -= 1;
      rest >>= 5;
    }
  }
  suffix[place] = ALPHABET[rest] ?? 0;
  return ascii.decode(suffix);
}

const randomBytes = randomBytesOf(16);

let last = { msecs: 0, seq: 0 };

/**
 * Counts up within a millisecond, and while the clock is behind the last id; it starts with 31 random bits,
 * which leaves room for as many ids.
 */
function placeInTime(bytes: Uint8Array): typeof last {
  const msecs = Date.now();
  const begun = new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) >>> 1;
  last = msecs > last.msecs ? { msecs, seq: begun } : { msecs: last.msecs, seq: last.seq + 1 };
  return last;
}

/** A new TypeID (`call_01j…`): a prefix and a UUIDv7 in base32, so ids sort by creation. */
export function newTypeId<Prefix extends keyof IdOf>(prefix: Prefix): IdOf[Prefix] {
  const bytes = randomBytes();
  const uuid = v7({ random: bytes, ...placeInTime(bytes) }, new Uint8Array(16));
  const made: string = `${prefix}_${base32OfUuid(uuid)}`;
  return made as IdOf[Prefix];
}

export const systemIds: Ids = {
  next: newTypeId,
  uuid: () => v4(),
  derivedUuid: (text) => v5(text, NAMESPACE),
};
