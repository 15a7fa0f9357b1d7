import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock } from "../application/ports/clock.ts";
import { MAX_BODY_BYTES } from "./body/raw-body.ts";
import type { Patience } from "./slow-clients.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

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
export function askForBody({ request, response }: Exchange): void {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return;
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
