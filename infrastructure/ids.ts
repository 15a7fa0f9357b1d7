import { v4, v5, v7 } from "uuid";
import type { IdOf, Ids } from "../application/ports/ids.ts";

/** Crockford's base32 in lower case, as TypeID (jetify/typeid spec 0.3) uses it. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Names derived from text live in this namespace; changing it would rename every derived event. */
const NAMESPACE = "6f1f1a3e-5d0b-4c53-9d0e-6a9a1d5b7c21";

/** The 128 bits of a UUID as the 26 characters of a TypeID suffix. */
export function base32OfUuid(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let text = "";
  for (let index = 0; index < 26; index += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** A fresh TypeID (`call_01j…`): a prefix and a UUIDv7 in base32, so that ids sort by creation. */
export function newTypeId<Prefix extends keyof IdOf>(prefix: Prefix): IdOf[Prefix] {
  const made: string = `${prefix}_${base32OfUuid(v7())}`;
  return made as IdOf[Prefix];
}

export const systemIds: Ids = {
  next: newTypeId,
  uuid: () => v4(),
  derivedUuid: (text) => v5(text, NAMESPACE),
};
