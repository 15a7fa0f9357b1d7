import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { EventStoreError } from "../application/ports/event-store.ts";
import type { Logger } from "../application/ports/logger.ts";
import { QueriesBusyError, ReadModelUnservedError } from "../application/ports/queries.ts";
import { GateClosedError } from "../application/restore/gate-closed.ts";
import { ApiError } from "./errors.ts";

/** Sends every error in one of the seed's two shapes. Unexpected errors are logged and reveal nothing. */
export function errorHandler(logger: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const gone = ofClientGone(error, request);
    const answer = gone ?? asApiError(error) ?? refusedFile(error, request);
    const what = { requestId: request.id, method: request.method, route: request.routeOptions.url ?? null };
    if (gone !== null) logger.info(what, "the client went away before its request was carried out");
    else if (answer === null) logger.error({ ...what, err: error }, "request failed");
    sendError(reply, answer ?? new ApiError("INTERNAL_ERROR", "Something went wrong on our side"));
  };
}

/**
 * The answer that nobody reads, for the count of answers by status: the client went while it sent its body,
 * or while the request waited. null: that is not what happened.
 */
function ofClientGone(error: unknown, { raw, exchange }: FastifyRequest): ApiError | null {
  if (error instanceof ApiError) return null;
  if (raw.destroyed && !raw.complete) return shortBody();
  const signal = exchange?.signal();
  return signal?.aborted === true && error === signal.reason ? notReady() : null;
}

/** Any path that is not one of the page's own files does not exist. */
function refusedFile(error: unknown, { routeOptions }: FastifyRequest): ApiError | null {
  if (routeOptions.url?.startsWith("/docs/") !== true || !(error instanceof Error)) return null;
  const status = "statusCode" in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? new ApiError("NOT_FOUND", "No such route") : null;
}

export function sendError(reply: FastifyReply, error: ApiError): void {
  reply.code(error.status).headers(error.headers).type("application/json; charset=utf-8").send(error.body);
}

/** null: it has no answer of its own. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof EventStoreError) return storeError(error);
  if (error instanceof GateClosedError) return new ApiError("NOT_READY", error.message);
  if (error instanceof ReadModelUnservedError) return new ApiError("NOT_READY", UNSERVED);
  if (error instanceof QueriesBusyError) return new ApiError("NOT_READY", BUSY);
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string")
    return frameworkError(error.code) ?? connectionError(error.code);
  return NO_CONNECTION.test(error.message) ? notReady() : null;
}

const UNSERVED = "What this is read from is being built from the log; writes go on, ask again";

const BUSY = "Several large campaigns are being read from the log at the moment; ask again";

function storeError({ failure }: EventStoreError): ApiError | null {
  if (failure.kind === "unavailable") return notReady();
  if (failure.kind === "too_large") {
    return new ApiError(
      "PAYLOAD_TOO_LARGE",
      `One ${failure.what} would take more than ${failure.limit} bytes`,
    );
  }
  return null;
}

function notReady(): ApiError {
  return new ApiError("NOT_READY", "A store does not answer at the moment; nothing is lost, try again");
}

/** Messages of `pg` without a code, about connections that it lost or could not open in time. */
const NO_CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * SQLSTATE classes and socket errors that mean "the database is unavailable"
 * (docs/embedded-postgres.md, step 12).
 */
function connectionError(code: string): ApiError | null {
  const away =
    /^(08|53|57P)/.test(code) ||
    ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"].includes(code);
  return away ? notReady() : null;
}

function shortBody(): ApiError {
  return new ApiError("INVALID_JSON", "The body is not as long as Content-Length says");
}

function frameworkError(code: FastifyError["code"]): ApiError | null {
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 16 MiB");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return shortBody();
    case "FST_ERR_BAD_URL":
      return new ApiError("NOT_FOUND", "No such route");
    default:
      return null;
  }
}
