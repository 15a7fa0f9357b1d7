import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import { randomBytesOf } from "../../random-bytes.ts";

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT_BYTE = Buffer.of(FORMAT);
const freshIv = randomBytesOf(IV_BYTES);

/** The context of a ciphertext: with any other it cannot be decrypted. */
export type SealedPlace = { readonly subject: string; readonly eventId: string; readonly type: string };

/** AES-256-GCM, in base64: format byte, 12 bytes of random IV, 16 bytes of tag, the text. */
export function seal(key: Uint8Array, place: SealedPlace, text: string): string {
  const iv = freshIv();
  const cipher = createCipheriv("aes-256-gcm", keyObject(key), iv).setAAD(associated(place));
  const body = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([FORMAT_BYTE, iv, cipher.getAuthTag(), ...body]).toString("base64");
}

/** null: forged, cut, moved from elsewhere, or encrypted with another key. */
export function unseal(key: Uint8Array, place: SealedPlace, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const bodyAt = 1 + IV_BYTES + TAG_BYTES;
  if (bytes[0] !== FORMAT || bytes.length < bodyAt || !isCanonical(sealed, bytes)) return null;
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyObject(key), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated(place)).setAuthTag(bytes.subarray(1 + IV_BYTES, bodyAt));
  try {
    const text = decipher.update(bytes.subarray(bodyAt));
    decipher.final(); // returns no more text; checks the tag
    return text.toString("utf8");
  } catch {
    return null;
  }
}

/**
 * Base64 is decoded leniently; only the canonical form is ours. A chunk of contacts is not encoded anew to
 * see that: nothing was passed over when the lengths fit and the last group, with its padding, is the same.
 */
function isCanonical(text: string, bytes: Buffer): boolean {
  const { length } = bytes;
  const lastGroup = bytes.subarray(length - ((length - 1) % 3) - 1).toString("base64");
  const isWhole = text.length === 4 * Math.ceil(length / 3) && text.endsWith(lastGroup);
  return isWhole && !text.includes("-") && !text.includes("_");
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>();

/** Making a key object takes longer than encrypting with it; a call has some thirty events. */
function keyObject(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

/** EventStoreDB returns ids in lower case, whatever it was given. */
function associated({ subject, eventId, type }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([subject, eventId.toLowerCase(), type]));
}
