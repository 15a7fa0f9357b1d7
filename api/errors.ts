import type { ProblemDetail, Refusal } from "../application/outcome.ts";
import { type ErrorCode, STATUS_OF } from "../contract/errors.ts";

export type ErrorBody =
  | {
      readonly success: false;
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details?: readonly ProblemDetail[];
      };
    }
  | { readonly success: false; readonly error: string };

type ApiErrorOptions = {
  readonly status?: number;
  readonly details?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The seed's plain message instead of an object. */
  readonly shapeB?: boolean;
};

/** An error answer. Thrown by hooks and routes before anything was stored, sent by the error handler. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = options.status ?? STATUS_OF[code];
    this.headers = options.headers ?? HEADERS_OF[this.status] ?? {};
    this.body = options.shapeB === true ? { success: false, error: message } : shapeA(code, message, options);
  }
}

/** Headers for a client that is refused for now. */
const HEADERS_OF: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "WWW-Authenticate": "Bearer" },
  425: { "Retry-After": "1" },
  429: { "Retry-After": "1" },
  503: { "Retry-After": "1" },
};

/** `details` is always present for VALIDATION_ERROR. */
function shapeA(code: ErrorCode, message: string, { details }: ApiErrorOptions): ErrorBody {
  const shown = details ?? (code === "VALIDATION_ERROR" ? [] : undefined);
  return { success: false, error: { code, message, ...(shown === undefined ? {} : { details: shown }) } };
}

const MAX_DETAILS = 100;

/** `subject` says where to look: "The request body". */
export function validationError(subject: string, details: readonly ProblemDetail[]): ApiError {
  const shown = details.slice(0, MAX_DETAILS);
  const count = details.length === 1 ? "1 problem" : `${shown.length} problems`;
  return new ApiError("VALIDATION_ERROR", `${subject} has ${count}; see details`, { details: shown });
}

export function tooManyValues(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", "The body has too many values");
}

export function notFound(code: ErrorCode, noun: string): ApiError {
  return new ApiError(code, `${noun} not found`);
}

/**
 * Codes whose id may be in the path (404) or in the body (400): a refusal that names a path in
 * `details` is about the body.
 */
export function refusalError(refusal: Refusal): ApiError {
  const inBody = refusal.details.length > 0;
  const status = inBody && STATUS_OF[refusal.code] === 404 ? { status: 400 } : {};
  const details = WITH_DETAILS.has(refusal.code) ? { details: refusal.details } : {};
  return new ApiError(refusal.code, refusal.message, { ...status, ...details });
}

const WITH_DETAILS = new Set(["VALIDATION_ERROR", "POLICY_REFUSED", "RECIPIENT_SUPPRESSED"]);

const SHAPE_B = new Set(["ASSISTANT_NOT_FOUND", "ASSISTANT_NOT_PUBLISHED", "PHONE_NUMBER_NOT_FOUND"]);

/** The outbound start: the seed's three plain messages, all 400. */
export function outboundRefusalError(refusal: Refusal): ApiError {
  if (!SHAPE_B.has(refusal.code)) return refusalError(refusal);
  return new ApiError(refusal.code, refusal.message, { status: 400, shapeB: true });
}
