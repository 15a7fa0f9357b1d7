import process from "node:process";
import type { Duplex } from "node:stream";
import type { Ids } from "../application/ports/ids.ts";
import { ApiError } from "./errors.ts";

/** Not imported: Node would load its own undici, a 25th of a start, to name all that `node:http` exports. */
const { STATUS_CODES } = process.getBuiltinModule("node:http");

const TOO_SLOW = "ERR_HTTP_REQUEST_TIMEOUT";

/** Node's code for it. */
export function tooSlow(): Error & { readonly code: string } {
  return Object.assign(new Error("too slow"), { code: TOO_SLOW });
}

/** Time for a peer that is still sending to read its answer: an immediate destroy could lose the answer. */
const PEER_MAY_TAKE_MILLIS = 1_000;

/**
 * Answers errors without a request, or in the middle of one: headers too large, anything too slow, not
 * HTTP. The same shape as every other error. The socket is destroyed soon after, whether or not the
 * peer closes its side.
 */
export function answerClientError(ids: Ids) {
  const answered = new WeakSet<Duplex>();
  return (error: Error & { readonly code?: string }, socket: Duplex): void => {
    // Further parse errors of the same socket are ignored.
    if (answered.has(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    setTimeout(() => socket.destroy(), PEER_MAY_TAKE_MILLIS);
    const { status, body } = errorOf(error.code);
    const text = JSON.stringify(body);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(text)}`,
        `X-Request-Id: ${ids.uuid()}`,
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        "",
        text,
      ].join("\r\n"),
    );
  };
}

function errorOf(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return new ApiError("HEADERS_TOO_LARGE", "The headers are too large");
  if (code === TOO_SLOW) return new ApiError("REQUEST_TIMEOUT", "The request came too slowly");
  return new ApiError("VALIDATION_ERROR", "This is not an HTTP request", { details: [] });
}
