import type { IncomingHttpHeaders } from "node:http";
import type {
  AttemptToSend,
  EndpointSecrets,
  SendAttempt,
} from "../../../application/ports/webhook-sender.ts";
import { storableText } from "../../../domain/shared/storable-text.ts";
import type { GuardedRequest } from "../../http/guarded-exchange.ts";
import type { GuardedHttpClient } from "../../http/guarded-http-client.ts";
import { type SigningSecrets, secretId, signedHeaders } from "../signature.ts";

/** Sends attempts by HTTP, each signed at its moment. */
export function attemptSender(client: Pick<GuardedHttpClient, "send">): SendAttempt {
  return async (attempt, nowMillis) => {
    const { request, signedBy } = signedRequest(attempt, nowMillis);
    const end = await client.send(request);
    const answered = end.kind === "answered" ? end : null;
    return {
      end,
      times: end.times,
      remoteAddress: end.remoteAddress,
      answer: answered === null ? null : answerText(answered.body),
      answerHeaders: answered === null ? null : keptHeaders(answered.headers),
      headers: request.headers,
      secretId: signedBy,
    };
  };
}

/** A POST that is signed now, and the id of the secret that signs it. */
export function signedRequest(
  attempt: AttemptToSend,
  nowMillis: number,
): { readonly request: GuardedRequest; readonly signedBy: string } {
  const body = Buffer.from(attempt.body);
  const { url, eventId, deliveryId } = attempt;
  const secrets = signingSecrets(attempt.secrets, nowMillis);
  const headers = signedHeaders(secrets, { eventId, deliveryId, attempt: attempt.number, body }, nowMillis);
  return { request: { url, method: "POST", headers, body }, signedBy: secretId(secrets.current) };
}

/** During an overlap the old secret still makes the seed's single signature. */
function signingSecrets(secrets: EndpointSecrets, nowMillis: number): SigningSecrets {
  const { previous } = secrets;
  if (previous === null || nowMillis >= previous.untilMillis) return { current: secrets.current, next: null };
  return { current: previous.secret, next: secrets.current };
}

const KEPT_HEADERS = ["content-type", "date", "location", "retry-after", "server", "x-request-id"] as const;

/** The few response headers that help to find a fault, without what in an address may be a secret. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, bareAddress(value).slice(0, 256)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Without its credentials, query string and fragment; other text is cut there too. */
function bareAddress(value: string): string {
  const [beginning = ""] = value.split(/[?#]/);
  return beginning.replace(/\/\/[^/]*@/, "//");
}

/** The kept part of an answer, as text that PostgreSQL can store. */
export function answerText(body: Buffer): string {
  return storableText(body.toString("utf8"));
}
