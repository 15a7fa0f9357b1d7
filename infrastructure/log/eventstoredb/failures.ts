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

/** What an error of the client means for us. */
export type Failure =
  | { readonly kind: "conflict"; readonly actual: ExpectedRevision }
  | { readonly kind: "deleted" }
  | { readonly kind: "not_found" }
  | { readonly kind: "too_large"; readonly limit: number }
  /** A live subscription was ended because a burst overran the server's buffer: ordinary traffic (fact 6). */
  | { readonly kind: "overrun" }
  /** gRPC's own code UNKNOWN: a position between two events, or an exception of the server's handler. */
  | { readonly kind: "unknown"; readonly cause: string }
  /** Repeating it cannot help. */
  | { readonly kind: "final"; readonly cause: string }
  /** Unavailable, or no answer at all: the outcome is open, and perhaps there is no server now. */
  | { readonly kind: "away"; readonly cause: string }
  /** Cancelled, deadline, not leader, too busy, a raw gRPC error: the outcome is open, try again. */
  | { readonly kind: "retry"; readonly cause: string };

/** The client calls every other code that it does not know UnknownError as well, a reset connection for one. */
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

/** Why it is worth another attempt. `away`: perhaps there is no server at all. */
export type Again = { readonly again: string; readonly away?: boolean };

/** What an attempt that failed like this answers when it is worth another one. */
export function againAfter(failure: Failure): Again {
  return { again: "cause" in failure ? failure.cause : failure.kind, away: failure.kind === "away" };
}

/** The client says `no_stream` or a bigint (fact 8). */
function revisionOf(actual: unknown): ExpectedRevision {
  return typeof actual === "bigint" || typeof actual === "number" ? Number(actual) : "no_stream";
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
}

export function unavailable(cause: string): EventStoreError {
  return new EventStoreError({ kind: "unavailable", cause });
}

/** The position lies between two events or beyond the end: the log went back, or is another one. Repeating it cannot help. */
export class ForeignPositionError extends EventStoreError {
  constructor(position: Position) {
    super({
      kind: "unavailable",
      cause: `position ${position} is none of this log: was it restored to an older state?`,
    });
  }
}
