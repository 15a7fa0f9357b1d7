import type { Error as ErrorBody } from "./api.ts";

/** The request of an error; `path` without the query. */
export type Asked = { readonly method: string; readonly path: string };

type Problem = ErrorBody["error"];
/** The codes of this release; a newer service may have more. */
export type ErrorCode = Problem["code"] | (string & {});

/** An answer that is a refusal. */
export class RingfoldError extends Error {
  override readonly name = "RingfoldError";
  readonly method: string;
  readonly path: string;
  /** HTTP status. */
  readonly status: number;
  /**
   * null: the answer has none, as the three plain messages of the outbound start, or an answer of a proxy.
   */
  readonly code: ErrorCode | null;
  /** The problems of a VALIDATION_ERROR with their paths; else empty. */
  readonly details: NonNullable<Problem["details"]>;
  /** X-Request-Id: the id of this request in the service's logs. */
  readonly requestId: string | null;
  /** Milliseconds to wait, from Retry-After; null: there is none. */
  readonly retryAfterMs: number | null;

  constructor({ method, path }: Asked, answer: Answer, body: unknown) {
    const { code, message, details } = problemOf(body);
    const places = details.map((each) => `${each.path.join(".") || "body"}: ${each.message}`);
    const refusal = code === null ? `${answer.status}` : `${answer.status} ${code}`;
    super(
      [[`${method} ${path} answered ${refusal}`, message].filter(Boolean).join(": "), ...places].join("; "),
    );
    this.method = method;
    this.path = path;
    this.status = answer.status;
    this.code = code;
    this.details = details;
    this.requestId = answer.headers.get("x-request-id");
    this.retryAfterMs = retryAfterMs(answer.headers.get("retry-after"));
  }
}

/**
 * There was no answer, or not a complete one, so it is unknown whether the service did the work. `cause`
 * is the error of fetch.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly method: string;
  readonly path: string;

  constructor({ method, path }: Asked, cause: unknown) {
    super(`${method} ${path} got no whole answer: ${reasonOf(cause)}`, { cause });
    this.method = method;
    this.path = path;
  }
}

type Answer = Pick<Response, "status" | "headers">;

/** One of the two shapes of the contract, or the answer of something between the client and the service. */
function problemOf(body: unknown): {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly details: NonNullable<Problem["details"]>;
} {
  const error = isObject(body) ? body["error"] : undefined;
  if (typeof error === "string") return { code: null, message: error, details: [] };
  if (!isObject(error)) return { code: null, message: "", details: [] };
  const { code, message, details } = error;
  return {
    code: typeof code === "string" ? code : null,
    message: typeof message === "string" ? message : "",
    details: Array.isArray(details) ? details : [],
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Seconds, or an HTTP date. */
function retryAfterMs(text: string | null): number | null {
  if (text === null) return null;
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(millis) ? null : Math.max(0, millis);
}

/** Node's fetch itself only says "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
