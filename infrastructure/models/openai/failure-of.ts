import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { ModelFailure } from "../../../application/ports/language-model.ts";
import { AnswerTooLong } from "../../http/guarded-fetch.ts";
import { AddressNotAllowed } from "../../http/pinned-connector.ts";
import { garbage } from "./chat-chunk.ts";

/**
 * In sentences of ours: a server's text may contain the key, the prompt, or words of the customer. `begun`:
 * the head of the answer had arrived.
 */
export function failureOf(error: unknown, begun: boolean): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIUserAbortError)
    return new ModelFailure("aborted", "The answer is no longer wanted");
  if (isCausedBy(error, AddressNotAllowed))
    return new ModelFailure("refused", "The model's server has an address that is not allowed");
  if (isCausedBy(error, AnswerTooLong) || error instanceof SyntaxError) return garbage();
  if (error instanceof APIError && !(error instanceof APIConnectionError)) return toldFailure(error);
  return begun
    ? new ModelFailure("cut_off", "The connection to the model's server ended in the middle of the answer")
    : new ModelFailure("unavailable", "The model's server cannot be reached");
}

function isCausedBy(error: unknown, kind: new (message?: string) => Error): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return error instanceof kind || isCausedBy(cause, kind);
}

/** The server refused: by the status of its answer, or by an error in the stream. */
function toldFailure({ status, code, type, headers }: APIError): ModelFailure {
  const word = `${code ?? ""} ${type ?? ""}`;
  const wait = retryAfterMillis(headers?.get("retry-after-ms") ?? null, headers?.get("retry-after") ?? null);
  if (status === undefined) return failureInStream(word);
  const answered = `The model's server answered with status ${status}`;
  if (status === 429)
    return word.includes("insufficient_quota")
      ? new ModelFailure("refused", `${answered}: the account's quota is used up`)
      : new ModelFailure("throttled", answered, wait);
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return new ModelFailure("unavailable", answered, wait);
  return new ModelFailure("refused", answered);
}

function failureInStream(word: string): ModelFailure {
  const told = "The model's server broke the answer off with an error";
  if (word.includes("rate_limit")) return new ModelFailure("throttled", told);
  if (/invalid_request|authentication|permission|not_found/.test(word))
    return new ModelFailure("refused", told);
  return new ModelFailure("unavailable", told);
}

/** RFC 9110 §10.2.3: seconds or a date; and the milliseconds that OpenAI adds. */
function retryAfterMillis(millis: string | null, seconds: string | null): number | null {
  if (millis !== null && /^\d+(\.\d+)?$/.test(millis)) return Math.round(Number(millis));
  if (seconds === null) return null;
  if (/^\d+(\.\d+)?$/.test(seconds)) return Math.round(Number(seconds) * 1_000);
  const at = Date.parse(seconds);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
