import { STATUS_CODES } from "node:http";
import type { Ids } from "../application/ports/ids.ts";
import { ApiError } from "./errors.ts";

type Line = { readonly writable: boolean; end(text: string): unknown; destroy(): unknown };

/** What Node refuses before there is a request: headers too large or too slow, not HTTP. The same shape as every other error. */
export function answerClientError(ids: Ids) {
  return (error: Error & { readonly code?: string }, socket: Line): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, body } = errorOf(error.code);
    const text = JSON.stringify(body);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(text)}`,
        `X-Request-Id: ${ids.uuid()}`,
        "Connection: close",
        "",
        text,
      ].join("\r\n"),
    );
  };
}

function errorOf(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return new ApiError("HEADERS_TOO_LARGE", "The headers are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError("REQUEST_TIMEOUT", "The request came too slowly");
  return new ApiError("VALIDATION_ERROR", "This is not an HTTP request", { details: [] });
}
