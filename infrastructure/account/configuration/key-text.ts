import { hash, randomInt, timingSafeEqual } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARACTERS = 8;
const SECRET_CHARACTERS = 32;
const FORM = /^va_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})$/;
/** At most one key has another form: BOOTSTRAP_API_KEY. */
const BOOTSTRAP_LOOKUP = "bootstrap";

/**
 * A key in two parts: the first finds its row, the second is the secret, of which only the hash is stored.
 */
export type KeyParts = { readonly lookup: string; readonly secretHash: Buffer };

/** `va_live_<8 id chars>_<32 secret chars>` (docs/api.md §2). */
export function drawKey(): string {
  return `va_live_${draw(ID_CHARACTERS)}_${draw(SECRET_CHARACTERS)}`;
}

export function partsOf(key: string): KeyParts {
  const [, lookup = BOOTSTRAP_LOOKUP, secret = key] = FORM.exec(key) ?? [];
  return { lookup, secretHash: hash("sha256", secret, "buffer") };
}

/**
 * Takes the same time wherever they differ. Without a row the secret is compared with itself,
 * and the result is no.
 */
export function isSecretOf(parts: KeyParts, stored: Buffer | null): boolean {
  const same = timingSafeEqual(parts.secretHash, stored ?? parts.secretHash);
  return same && stored !== null;
}

function draw(characters: number): string {
  return Array.from({ length: characters }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}
