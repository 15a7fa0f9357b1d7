import type { Error as ErrorBody } from "./generated/ringfold-api.ts";

/** The request that an error speaks of; `path` without the query. */
export type Asked = { readonly method: string; readonly path: string };

type Problem = ErrorBody["error"];
/** The codes of this release; a newer service may know more. */
export type ErrorCode = Problem["code"] | (string & {});

/** An answer that is a refusal. */
export class RingfoldError extends Error {
  override readonly name = "RingfoldError";
  readonly method: string;
  readonly path: string;
  /** Of HTTP. */
  readonly status: number;
  /** null: the answer has none. That is so for the three plain messages of the outbound start, and for what a proxy answers in place of the service. */
  readonly code: ErrorCode | null;
  /** What is wrong, by place; of a VALIDATION_ERROR, else empty. */
  readonly details: NonNullable<Problem["details"]>;
  /** X-Request-Id: names this request in the logs of the service. */
  readonly requestId: string | null;
  /** Milliseconds to wait, by the answer's Retry-After; null: it has none. */
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

/** No answer came, or not the whole of it. Whether the service did what it was asked is not known. `cause` is what fetch said. */
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

/** One of the two shapes of the contract, or whatever stands between the client and the service. */
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

/** Seconds, or the date of HTTP. */
function retryAfterMs(text: string | null): number | null {
  if (text === null) return null;
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(millis) ? null : Math.max(0, millis);
}

/** Node's fetch says no more than "fetch failed" itself. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
