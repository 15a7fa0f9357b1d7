import { ConnectionError, RingfoldError } from "./errors.ts";
import {
  type FullRequestParams,
  type HttpClient,
  type HttpResponse,
  KEYED_POSTS,
} from "./generated/ringfold-api.ts";
import { pause, retryDelay } from "./retries.ts";

type Send = HttpClient["request"];

/** The transport of the generated client, with Error objects and retries. */
export function sender(send: Send, retries: number): Send {
  return async <T, E>(params: FullRequestParams) => {
    const request = { ...params, headers: headersOf(params, retries > 0) };
    const repeatable = isRepeatable(request);
    for (let failures = 0; ; failures += 1) {
      try {
        return await answerOf(request, send<T, E>(request));
      } catch (error) {
        if (isAbort(request, error) || failures >= retries) throw error;
        const delay = retryDelay(error, repeatable, failures);
        if (delay === null) throw error;
        await pause(delay, request.signal);
      }
    }
  };
}

/** The answer with its `data`: JSON, or the stream of a file. */
async function answerOf<T, E>(
  request: FullRequestParams,
  answer: Promise<HttpResponse<T, E>>,
): Promise<HttpResponse<T, E>> {
  const response = await answer.catch(async (reason: unknown) => {
    if (isAnswer(reason)) throw new RingfoldError(askedOf(request), reason, await refusalOf(request, reason));
    throw isAbort(request, reason) ? reason : new ConnectionError(askedOf(request), reason);
  });
  if (request.format === undefined) return Object.assign(response, { data: response.body });
  if (response.error === null) return response;
  throw isAbort(request, response.error)
    ? response.error
    : new ConnectionError(askedOf(request), response.error);
}

/** The generated client rejects with the answer; it has read its body only if JSON was expected. */
async function refusalOf({ format }: FullRequestParams, answer: Refused): Promise<unknown> {
  return format === undefined ? answer.json().catch(() => null) : answer.error;
}

type Refused = Response & { readonly error: unknown };

/** Recognised by its shape, because the caller's own `fetch` may return its own Response class. */
function isAnswer(reason: unknown): reason is Refused {
  return typeof reason === "object" && reason !== null && "status" in reason && "headers" in reason;
}

/** An abort by the caller. A timeout of its own `fetch` counts as a missing answer. */
function isAbort({ signal, cancelToken }: FullRequestParams, error: unknown): boolean {
  if (signal?.aborted === true) return true;
  return cancelToken !== undefined && error instanceof Error && error.name === "AbortError";
}

const askedOf = ({ method = "GET", path }: FullRequestParams) => ({ method, path });

const REPEATABLE = ["GET", "HEAD", "PUT", "DELETE"];

/** By its method (RFC 9110 §9.2.2), or by its key. */
function isRepeatable({ method = "GET", path }: FullRequestParams): boolean {
  return REPEATABLE.includes(method) || (method === "POST" && takesKey(path));
}

/**
 * As a plain object, because the generated client spreads them, and spreading Headers or a list of pairs
 * gives nothing. `mayRepeat`: adds a key to each POST that accepts one and has none, so that the same
 * request may be sent again.
 */
function headersOf({ method, path, headers }: FullRequestParams, mayRepeat: boolean): Record<string, string> {
  const all = new Headers(headers);
  const wantsKey = mayRepeat && method === "POST" && takesKey(path);
  if (wantsKey && !all.has("Idempotency-Key")) all.set("Idempotency-Key", randomKey());
  return Object.fromEntries(all);
}

const KEYED = KEYED_POSTS.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));

function takesKey(path: string): boolean {
  return KEYED.some((pattern) => pattern.test(path));
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
