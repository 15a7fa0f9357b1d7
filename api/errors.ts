import type { ProblemDetail, Refusal } from "../application/outcome.ts";

/**
 * The only mapping from code to HTTP status (docs/api.md §1). The same code is 400 when the id is
 * in a body: `inBody`.
 */
export const STATUS_OF = {
  VALIDATION_ERROR: 400,
  INVALID_JSON: 400,
  ASSISTANT_NOT_PUBLISHED: 400,
  CONNECTION_REQUIRED: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN: 403,
  CROSS_SITE: 403,
  RECIPIENT_SUPPRESSED: 403,
  NOT_FOUND: 404,
  CALL_NOT_FOUND: 404,
  CAMPAIGN_NOT_FOUND: 404,
  CONTACT_NOT_FOUND: 404,
  SQUAD_NOT_FOUND: 404,
  SQUAD_MEMBER_NOT_FOUND: 404,
  HANDOFF_NOT_FOUND: 404,
  ASSISTANT_NOT_FOUND: 404,
  PHONE_NUMBER_NOT_FOUND: 404,
  TOOL_NOT_FOUND: 404,
  CONNECTION_NOT_FOUND: 404,
  SECRET_NOT_FOUND: 404,
  SUPPRESSION_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  CALL_IS_LIVE: 409,
  CALL_ERASED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  CAMPAIGN_INVALID_STATE: 409,
  SQUAD_MEMBER_EXISTS: 409,
  SQUAD_LIMIT_REACHED: 409,
  HANDOFF_EXISTS: 409,
  TOOL_IN_USE: 409,
  CONNECTION_IN_USE: 409,
  CONNECTION_IMMUTABLE: 409,
  ASSISTANT_IN_USE: 409,
  WEBHOOK_NOT_CONFIGURED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  RECORDING_PENDING: 425,
  RATE_LIMIT_EXCEEDED: 429,
  CONCURRENCY_LIMIT_REACHED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
  READ_MODEL_BEHIND: 503,
  CARRIER_UNAVAILABLE: 503,
  ASSISTANT_UNAVAILABLE: 503,
  RECORDING_UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_OF;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(STATUS_OF, text);
}

/** `@400`: the code of an unknown id in the body. */
export type DocumentedCode = ErrorCode | `${ErrorCode}@400`;

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
  const told = details ?? (code === "VALIDATION_ERROR" ? [] : undefined);
  return { success: false, error: { code, message, ...(told === undefined ? {} : { details: told }) } };
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
  const details = refusal.code === "VALIDATION_ERROR" ? { details: refusal.details } : {};
  return new ApiError(refusal.code, refusal.message, { ...status, ...details });
}

const SHAPE_B = new Set(["ASSISTANT_NOT_FOUND", "ASSISTANT_NOT_PUBLISHED", "PHONE_NUMBER_NOT_FOUND"]);

/** The outbound start: the seed's three plain messages, all 400. */
export function outboundRefusalError(refusal: Refusal): ApiError {
  if (!SHAPE_B.has(refusal.code)) return refusalError(refusal);
  return new ApiError(refusal.code, refusal.message, { status: 400, shapeB: true });
}
