import type { IncomingHttpHeaders } from "node:http";
import { storableText } from "../../../domain/shared/storable-text.ts";
import type { GuardedResult } from "../../http/guarded-exchange.ts";
import type { GuardedHttpClient } from "../../http/guarded-http-client.ts";
import type { EndpointSecrets } from "../endpoint-secrets.ts";
import { type SigningSecrets, secretId, signedHeaders } from "../signature.ts";

export type AttemptToSend = {
  readonly url: string;
  readonly secrets: EndpointSecrets;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly body: string;
};

export type SentAttempt = {
  readonly result: GuardedResult;
  readonly headers: Readonly<Record<string, string>>;
  readonly secretId: string;
};

/** Signs one attempt now and sends it. Never rejects. */
export async function sendAttempt(
  client: Pick<GuardedHttpClient, "send">,
  attempt: AttemptToSend,
  nowMillis: number,
): Promise<SentAttempt> {
  const body = Buffer.from(attempt.body);
  const { eventId, deliveryId } = attempt;
  const secrets = signingSecrets(attempt.secrets, nowMillis);
  const headers = signedHeaders(secrets, { eventId, deliveryId, attempt: attempt.number, body }, nowMillis);
  const result = await client.send({ url: attempt.url, method: "POST", headers, body });
  return { result, headers, secretId: secretId(secrets.current) };
}

/** During an overlap the old secret still makes the seed's single signature. */
function signingSecrets(secrets: EndpointSecrets, nowMillis: number): SigningSecrets {
  const { previous } = secrets;
  if (previous === null || nowMillis >= previous.untilMillis) return { current: secrets.current, next: null };
  return { current: previous.secret, next: secrets.current };
}

const KEPT_HEADERS = ["content-type", "date", "location", "retry-after", "server", "x-request-id"] as const;

/** The few response headers that help to find a fault, without query strings. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, (value.split("?")[0] ?? "").slice(0, 256)]] : [];
  });
  return Object.fromEntries(entries);
}

/** The kept part of an answer, as text that PostgreSQL can store. */
export function answerText(body: Buffer): string {
  return storableText(body.toString("utf8"));
}
