import { createHash, createHmac, createSecretKey, type KeyObject } from "node:crypto";

/**
 * What is signed: the body bytes are the same for every attempt of one event, the rest
 * identifies the attempt.
 */
export type SignedMessage = {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly body: Uint8Array;
};

/** `next` is set only during the overlap of a rotation: `current` is then the old secret. */
export type SigningSecrets = { readonly current: string; readonly next: string | null };

/** Prefix of every secret; the rest is base64 of 32 bytes. */
export const SECRET_PREFIX = "whsec_";

/**
 * The seed's signature: `sha256=` and the lower-case hex HMAC over `timestamp.body`, keyed by the
 * secret string as shown.
 */
export function seedSignature(secret: string, timestampMillis: string, body: Uint8Array): string {
  const { seed } = keysOf(secret);
  return `sha256=${createHmac("sha256", seed).update(`${timestampMillis}.`).update(body).digest("hex")}`;
}

/**
 * Standard Webhooks v1: HMAC over `id.seconds.body`, keyed by the bytes that the part after
 * `whsec_` decodes to.
 */
export function standardSignature(secret: string, id: string, seconds: string, body: Uint8Array): string {
  const { standard } = keysOf(secret);
  return `v1,${createHmac("sha256", standard).update(`${id}.${seconds}.`).update(body).digest("base64")}`;
}

type Keys = { readonly seed: KeyObject; readonly standard: KeyObject; readonly id: string };

/** Making a key takes several times as long as signing with it, so what is made of used secrets is cached. */
const keysInUse = new Map<string, Keys>();
const MOST_KEPT = 1_000;

function keysOf(secret: string): Keys {
  const known = keysInUse.get(secret);
  if (known !== undefined) return known;
  const shown = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const keys = {
    seed: createSecretKey(secret, "utf8"),
    standard: createSecretKey(shown, "base64"),
    id: createHash("sha256").update(secret).digest("hex").slice(0, 12),
  };
  if (keysInUse.size >= MOST_KEPT) keysInUse.clear();
  keysInUse.set(secret, keys);
  return keys;
}

/**
 * Headers of one attempt, signed now: receivers refuse a retry with a timestamp older than five minutes.
 * `X-Service-Signature` has exactly one signature, because the seed's receivers compare the whole value;
 * during an overlap it is the old secret's, and `X-Service-Signature-Next` the new one's.
 */
export function signedHeaders(
  secrets: SigningSecrets,
  message: SignedMessage,
  nowMillis: number,
): Readonly<Record<string, string>> {
  const { eventId, body } = message;
  const milliseconds = String(nowMillis);
  const seconds = String(Math.floor(nowMillis / 1000));
  const standard = standardSignature(secrets.current, eventId, seconds, body);
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Signature": seedSignature(secrets.current, milliseconds, body),
    "X-Service-Timestamp": milliseconds,
    "X-Service-Event-Id": eventId,
    "X-Service-Delivery-Id": message.deliveryId,
    "X-Service-Attempt": String(message.attempt),
    "webhook-id": eventId,
    "webhook-timestamp": seconds,
    "webhook-signature": standard,
  };
  if (secrets.next === null) return headers;
  return {
    ...headers,
    "X-Service-Signature-Next": seedSignature(secrets.next, milliseconds, body),
    "webhook-signature": `${standard} ${standardSignature(secrets.next, eventId, seconds, body)}`,
  };
}

/** Identifies a secret in the attempt log without revealing it (12 hex characters of its SHA-256). */
export function secretId(secret: string): string {
  return keysOf(secret).id;
}
