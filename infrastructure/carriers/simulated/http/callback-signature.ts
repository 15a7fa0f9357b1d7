import { createHmac, timingSafeEqual } from "node:crypto";

export const TIMESTAMP_HEADER = "x-carrier-timestamp";
export const SIGNATURE_HEADER = "x-carrier-signature";

/** Hex HMAC-SHA256 of `timestamp.body`: the carrier signs its callbacks with the secret that the service gave it. */
export function signCallback(secret: string, timestamp: string, body: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

export function isSignedBy(secret: string, timestamp: string, body: string, signature: string): boolean {
  const expected = Buffer.from(signCallback(secret, timestamp, body));
  const received = Buffer.from(signature);
  return expected.length === received.length && timingSafeEqual(expected, received);
}
