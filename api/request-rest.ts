import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../application/ports/clock.ts";
import { MAX_BODY_BYTES } from "./body/raw-body.ts";
import { validationError } from "./errors.ts";
import type { Patience } from "./slow-clients.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Connections on which nobody can tell where the next request begins. */
const inDoubt = new WeakSet<Socket>();

/**
 * Refuses a body whose end a proxy before us could see at another place (RFC 9112 §6.1), and whatever follows
 * on its connection. Node takes every list of codings that ends with `chunked`; the other forms (two
 * lengths, a length beside a coding) it refuses itself.
 */
export function refuseDoubtfulBody({ request, response }: Exchange): void {
  const { headers, httpVersion, socket } = request;
  const coding = headers["transfer-encoding"]?.toLowerCase();
  if (coding !== undefined && (coding !== "chunked" || httpVersion !== "1.1")) inDoubt.add(socket);
  if (!inDoubt.has(socket)) return;
  response.setHeader("Connection", "close");
  throw validationError("The request", [{ path: ["Transfer-Encoding"], message: "Only `chunked`, once" }]);
}

/** Requests with `Expect: 100-continue` that were not told to send their body. */
const unasked = new WeakSet<IncomingMessage>();

/**
 * A client that waits before it sends its body gets 100 once the request may have one, and
 * otherwise the refusal.
 */
export function expectContinue(server: Server): void {
  server.on("checkContinue", (request, response) => {
    unasked.add(request);
    server.emit("request", request, response);
  });
}

/** Called before a body is read. A body that is announced as too large is not requested. */
export function askForBody({ request, response }: Exchange, most = MAX_BODY_BYTES): void {
  if (Number(request.headers["content-length"] ?? 0) > most) return;
  if (unasked.delete(request)) response.writeContinue();
}

/**
 * Called before an answer that comes while the request is still being sent: many clients read nothing
 * before they have sent everything, and see a broken pipe when the connection is closed. So the rest
 * is read and dropped first, while it keeps coming and within limits; beyond them the connection is
 * closed with the answer.
 */
export async function readRest(
  { request, response }: Exchange,
  clock: Clock,
  { millis, bytes, quiet }: Patience["discard"],
): Promise<void> {
  if (request.complete) return;
  if (unasked.has(request)) {
    response.setHeader("Connection", "close");
    return;
  }
  const { socket } = request;
  const most = socket.bytesRead + bytes;
  const until = clock.monotonicMillis() + millis;
  const over = new AbortController();
  const end = () => over.abort();
  request.on("data", () => socket.bytesRead > most && end());
  request.once("end", end).once("close", end);
  let seen = -1;
  while (!over.signal.aborted && socket.bytesRead > seen && clock.monotonicMillis() < until) {
    seen = socket.bytesRead;
    await clock.sleep(quiet, over.signal);
  }
}
