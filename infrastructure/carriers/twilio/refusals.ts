import type { PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import { codeOf, NothingSentError } from "./transport.ts";
import { RefusedWithPauseError } from "./twilio-api.ts";

/** An error answer of Twilio. */
export type Refusal = { readonly status: number; readonly code: number | null; readonly message: string };

export const ENDED_ALREADY = 21_220;
export const NOT_THERE = 20_404;
export const BAD_CREDENTIALS = 20_003;
const TOO_MANY = new Set([429, 20_429, 10_004]);

/** Error codes of a refused dial (twilio.com/docs/api/errors); every other one is carrier_error. */
const END_REASONS: Readonly<Record<number, EndReason>> = {
  21211: "invalid_number",
  21217: "invalid_number",
  13224: "invalid_number",
  21215: "permission_denied",
  13227: "permission_denied",
  21210: "permission_denied",
  21212: "permission_denied",
  21216: "permission_denied",
  21219: "permission_denied",
  21214: "unreachable",
};

const DEFAULT_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 60_000;

/** null: not an answer of Twilio. */
export function refusalOf(error: unknown): Refusal | null {
  const refused = error instanceof RefusedWithPauseError ? error.cause : error;
  if (!(refused instanceof Error) || !("status" in refused) || typeof refused.status !== "number")
    return null;
  const code = "code" in refused && typeof refused.code === "number" ? refused.code : null;
  return { status: refused.status, code, message: refused.message };
}

/** The result of a dial for which the SDK returned no call. */
export function failedDial(error: unknown): PlaceCallResult {
  if (error instanceof NothingSentError) return notSent(error);
  const refusal = refusalOf(error);
  if (refusal === null) return { kind: "unknown", cause: codeOf(error), noAnswerAtAll: !hasAnswered(error) };
  const { status, code, message } = refusal;
  if (status < 400 || status >= 500 || status === 408)
    return { kind: "unknown", cause: `Twilio answered ${status}`, noAnswerAtAll: false };
  if (status === 429 || (code !== null && TOO_MANY.has(code)))
    return { kind: "throttled", retryAfterMillis: pauseOf(error) };
  return {
    kind: "rejected",
    endReason: (code === null ? undefined : END_REASONS[code]) ?? "carrier_error",
    carrierCode: String(code ?? status),
    message: code === BAD_CREDENTIALS ? "Twilio does not take the account SID and auth token" : message,
    // The next one would fail as well.
    noAnswerAtAll: code === BAD_CREDENTIALS,
  };
}

/** It answered, but with something that the SDK does not understand. */
function hasAnswered(error: unknown): boolean {
  return error instanceof RefusedWithPauseError;
}

function notSent({ message, late }: NothingSentError): PlaceCallResult {
  return {
    kind: "rejected",
    endReason: "not_placed",
    carrierCode: message,
    message: late ? "It was too late to dial" : "Twilio cannot be reached",
    noAnswerAtAll: !late,
  };
}

function pauseOf(error: unknown): number {
  const seconds = error instanceof RefusedWithPauseError ? error.retryAfterSeconds : null;
  return seconds === null ? DEFAULT_PAUSE_MILLIS : Math.min(seconds * 1_000, LONGEST_PAUSE_MILLIS);
}
