import { createHmac, timingSafeEqual } from "node:crypto";

export const TIMESTAMP_HEADER = "x-carrier-timestamp";
export const SIGNATURE_HEADER = "x-carrier-signature";
/** How much the clocks of carrier and service may differ. */
export const TOLERANCE_MILLIS = 5 * 60_000;

/** Hex HMAC-SHA256 of `timestamp.body`: the carrier signs its callbacks with the secret from the service. */
export function signCallback(secret: string, timestamp: string, body: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

export function isSignedBy(secret: string, timestamp: string, body: string, signature: string): boolean {
  const expected = Buffer.from(signCallback(secret, timestamp, body));
  const received = Buffer.from(signature);
  return expected.length === received.length && timingSafeEqual(expected, received);
}

/** Token of a relay's socket: valid for some minutes and for this call only. */
export function relayToken(secret: string, callId: string, nowMillis: number): string {
  const timestamp = String(nowMillis);
  return `${timestamp}.${signCallback(secret, timestamp, `relay/${callId}`)}`;
}

export function isRelayToken(secret: string, callId: string, token: string, nowMillis: number): boolean {
  const [timestamp = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !(Math.abs(nowMillis - Number(timestamp)) <= TOLERANCE_MILLIS)) return false;
  return isSignedBy(secret, timestamp, `relay/${callId}`, signature);
}
