import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import {
  EventStoreError,
  type ExpectedRevision,
  type Position,
} from "../../../application/ports/event-store.ts";
import { NoAnswerError } from "./waiting.ts";

/** The meaning of a client error for this adapter. */
export type Failure =
  | { readonly kind: "conflict"; readonly actual: ExpectedRevision }
  | { readonly kind: "deleted" }
  | { readonly kind: "not_found" }
  | { readonly kind: "too_large"; readonly limit: number }
  /** A live subscription ended because a burst exceeded the server's buffer: ordinary under load (fact 6). */
  | { readonly kind: "overrun" }
  /** gRPC code UNKNOWN: a position between two events, or an exception in the server's handler. */
  | { readonly kind: "unknown"; readonly cause: string }
  /** Permanent: a repeat cannot help. */
  | { readonly kind: "final"; readonly cause: string }
  /** Unavailable, or no answer at all: the outcome is unknown, and there may be no server. */
  | { readonly kind: "away"; readonly cause: string }
  /** Cancelled, deadline, not leader, too busy, a raw gRPC error: the outcome is unknown, try again. */
  | { readonly kind: "retry"; readonly cause: string };

/** The client uses UnknownError for every other code that it does not know, such as a reset connection. */
const GRPC_UNKNOWN = 2;

export function failureOf(error: unknown): Failure {
  if (error instanceof WrongExpectedVersionError)
    return { kind: "conflict", actual: revisionOf(error.actualVersion) };
  if (error instanceof StreamDeletedError) return { kind: "deleted" };
  if (error instanceof StreamNotFoundError) return { kind: "not_found" };
  if (error instanceof MaxAppendSizeExceededError) return { kind: "too_large", limit: error.maxAppendSize };
  if (error instanceof AccessDeniedError || error instanceof InvalidArgumentError)
    return { kind: "final", cause: textOf(error) };
  if (error instanceof TimeoutError && /consumer too slow/i.test(error.message)) return { kind: "overrun" };
  if (error instanceof UnknownError && error.code === GRPC_UNKNOWN)
    return { kind: "unknown", cause: textOf(error) };
  const away = error instanceof UnavailableError || error instanceof NoAnswerError;
  return { kind: away ? "away" : "retry", cause: textOf(error) };
}

/** Why another attempt may help. `away`: there may be no server. */
export type Again = { readonly again: string; readonly away?: boolean };

/** The answer of an attempt that failed like this, if another one may help. */
export function againAfter(failure: Failure): Again {
  return { again: "cause" in failure ? failure.cause : failure.kind, away: failure.kind === "away" };
}

/** The client returns `no_stream` or a bigint (fact 8). */
function revisionOf(actual: unknown): ExpectedRevision {
  return typeof actual === "bigint" || typeof actual === "number" ? Number(actual) : "no_stream";
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
}

export function unavailable(cause: string): EventStoreError {
  return new EventStoreError({ kind: "unavailable", cause });
}

/**
 * The position is between two events or beyond the end: the log was restored to an older state, or
 * replaced. Permanent.
 */
export class ForeignPositionError extends EventStoreError {
  constructor(position: Position) {
    super({
      kind: "unavailable",
      cause: `position ${position} is none of this log: was it restored to an older state?`,
    });
  }
}
