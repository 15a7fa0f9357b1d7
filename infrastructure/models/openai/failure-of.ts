import { ModelFailure } from "../../../application/ports/language-model.ts";
import type { JsonValue } from "../../../domain/shared/json.ts";
import type { Refusal } from "../../connections/server-manners.ts";
import { AnswerTooLong } from "../../http/guarded-fetch.ts";
import { AddressNotAllowed } from "../../http/pinned-connector.ts";

/**
 * In sentences of ours: a server's text may contain the key, the prompt, or words of the customer. `begun`:
 * the head of the answer had arrived.
 */
export function failureOf(error: unknown, begun: boolean): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (isCausedBy(error, AddressNotAllowed))
    return new ModelFailure("refused", "The model's server has an address that is not allowed");
  if (isCausedBy(error, AnswerTooLong))
    return new ModelFailure("garbage", "The model's server sent an answer without an end");
  return begun
    ? new ModelFailure("cut_off", "The connection to the model's server ended in the middle of the answer")
    : new ModelFailure("unavailable", "The model's server cannot be reached");
}

function isCausedBy(error: unknown, kind: new (message?: string) => Error): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return error instanceof kind || isCausedBy(cause, kind);
}

/** The server's answer has another status than 200. `text`: the beginning of its body. */
export function failureOfStatus(status: number, headers: Headers, text: string): ModelFailure {
  const wait = retryAfterMillis(headers.get("retry-after-ms"), headers.get("retry-after"));
  const answered = `The model's server answered with status ${status}`;
  if (status === 429)
    return text.includes("insufficient_quota")
      ? new ModelFailure("refused", `${answered}: the account's quota is used up`)
      : new ModelFailure("throttled", answered, wait);
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return new ModelFailure("unavailable", answered, wait);
  // The server's own model made a call that it could not read: asked again, it may write a better one.
  if (status === 400 && /tool_use_failed|failed_generation/.test(text))
    return new ModelFailure("garbage", `${answered}: its model made no valid call`);
  return new ModelFailure("refused", answered);
}

/** `error` in a frame of the stream: an object of any form, or a text. */
export function failureInStream(error: JsonValue): ModelFailure {
  const word = JSON.stringify(error).slice(0, 2_000);
  const message = "The model's server broke the answer off with an error";
  if (word.includes("rate_limit")) return new ModelFailure("throttled", message);
  if (/invalid_request|authentication|permission|not_found/.test(word))
    return new ModelFailure("refused", message);
  return new ModelFailure("unavailable", message);
}

/** What the body of a 400 or 422 names; servers have several forms for it. */
export function refusalIn(text: string): Refusal {
  const [, param = null] = /"(?:param|parameter)"\s*:\s*"([^"]{1,100})"/.exec(text) ?? [];
  const [, field = null] = /"loc"\s*:\s*\[\s*"body"\s*,\s*"([^"]{1,100})"/.exec(text) ?? [];
  return { param: param ?? field, text };
}

/** RFC 9110 §10.2.3: seconds or a date; and the milliseconds that OpenAI adds. */
function retryAfterMillis(millis: string | null, seconds: string | null): number | null {
  if (millis !== null && /^\d+(\.\d+)?$/.test(millis)) return Math.round(Number(millis));
  if (seconds === null) return null;
  if (/^\d+(\.\d+)?$/.test(seconds)) return Math.round(Number(seconds) * 1_000);
  const at = Date.parse(seconds);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
