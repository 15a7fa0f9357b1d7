import type { Socket } from "node:net";
import type { StopSignal } from "../application/ports/clock.ts";
import type { Api } from "./api.ts";
import type { OpenStreams } from "./open-streams.ts";

/** Resolves when no connection is left. */
export type OrderlyClose = (cut: StopSignal) => Promise<void>;

/**
 * Call it before the server listens. Its close: accepts nothing new, ends event streams with a reason,
 * destroys connections without a request at once (silent ones, half a header, idle ones), and answers
 * requests in progress. What is left when `cut` aborts is destroyed.
 */
export function orderlyClose(api: Api, openStreams: OpenStreams): OrderlyClose {
  const underWay = new Map<Socket, number>();
  let closing = false;
  api.server.on("connection", (socket) => {
    if (closing) {
      socket.destroy();
      return;
    }
    underWay.set(socket, 0);
    socket.once("close", () => underWay.delete(socket));
  });
  api.server.on("request", ({ socket }, response) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      if (underWay.has(socket)) underWay.set(socket, left);
      // A client may not have seen the request to close its kept connection.
      if (closing && left === 0) socket.destroySoon();
    });
  });

  return async (cut) => {
    closing = true;
    openStreams.endAll("stopping");
    const closed = api.close();
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
    const destroyAll = () => {
      for (const socket of underWay.keys()) socket.destroy();
    };
    if (cut.aborted) destroyAll();
    cut.addEventListener("abort", destroyAll);
    await closed;
    cut.removeEventListener("abort", destroyAll);
  };
}
