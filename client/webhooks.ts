import type { WebhookEvent } from "./api.ts";

/** Why a request must not be trusted. Answer it with 401. */
export type WebhookRefusal = "missing_header" | "timestamp_too_far_off" | "wrong_signature";

export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(`The webhook is not to be trusted: ${reason.replaceAll("_", " ")}`);
    this.reason = reason;
  }
}

export type ReceivedWebhook = {
  /** As the service shows it, `whsec_…`. */
  readonly secret: string;
  /** From Node or a web framework; names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body as received, before any JSON is parsed. */
  readonly body: string | Uint8Array;
  /** Milliseconds; the machine's time unless set. */
  readonly now?: number;
};

const TOLERANCE_MS = 300_000;

/**
 * Verifies a webhook and returns its content. Rejects with a WebhookError when a header is missing, when the
 * timestamp is more than 5 minutes away from `now`, or when the signature is wrong (compared in constant
 * time). During the overlap of a rotation both secrets are valid. The same event may come more than once:
 * `data.eventId` identifies it.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  now = Date.now(),
}: ReceivedWebhook): Promise<WebhookEvent> {
  const signature = headerOf(headers, "x-service-signature");
  const timestamp = headerOf(headers, "x-service-timestamp");
  if (signature === null || timestamp === null) throw new WebhookError("missing_header");
  if (!(Math.abs(now - Number(timestamp)) <= TOLERANCE_MS)) throw new WebhookError("timestamp_too_far_off");
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${timestamp}.`), raw);
  const next = headerOf(headers, "x-service-signature-next");
  const good = (await isSigned(secret, signature, signed)) || (await isSigned(secret, next ?? "", signed));
  if (!good) throw new WebhookError("wrong_signature");
  return parseWebhook(new TextDecoder().decode(raw));
}

function parseWebhook(text: string): WebhookEvent {
  return JSON.parse(text);
}

/** null: it is missing, or occurs more than once. */
function headerOf(headers: ReceivedWebhook["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const [given, ...more] = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return more.length === 0 && typeof given?.[1] === "string" ? given[1] : null;
}

/** `sha256=` and the digest in lower-case hexadecimal. WebCrypto compares in constant time. */
async function isSigned(
  secret: string,
  signature: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (hex === undefined) return false;
  const digest = Uint8Array.from({ length: 32 }, (_none, index) =>
    parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, digest, signed);
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
