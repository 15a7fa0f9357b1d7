import websocket from "@fastify/websocket";
import type { RawData, WebSocket } from "ws";
import type { SocketEntrance, TextSocket } from "../application/ports/entrances.ts";
import type { Api } from "./api.ts";
import { upgradeRequest } from "./upgrade-request.ts";

/** Larger ones close their socket (1009) before they are read completely. */
const MAX_FRAME_BYTES = 64 * 1_024;

/** Call it before the first route with a WebSocket. */
export function registerWebSockets(api: Api): void {
  api.register(websocket, { options: { maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false } });
}

/** WebSockets outside of /api/v1. A refused client gets its answer before the upgrade. */
export function registerSocketEntrances(api: Api, entrances: readonly SocketEntrance[]): void {
  for (const entrance of entrances) registerEntrance(api, entrance);
}

function registerEntrance(api: Api, entrance: SocketEntrance): void {
  api.route({
    method: "GET",
    url: entrance.path,
    exposeHeadRoute: false,
    schema: { hide: true },
    preHandler: async (request, reply) => {
      const refusal = await entrance.refuses(upgradeRequest(request));
      if (refusal === null) return undefined;
      return reply.code(refusal.status).send({ success: false, error: refusal.message });
    },
    handler: async (_request, reply) =>
      reply.code(426).header("Upgrade", "websocket").send({ success: false, error: "A WebSocket is needed" }),
    wsHandler: (socket, request) => entrance.open(upgradeRequest(request), textSocket(socket)),
  });
}

function textSocket(socket: WebSocket): TextSocket {
  socket.on("error", () => socket.terminate());
  return {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    waiting: () => socket.bufferedAmount,
    close: (code, reason) => socket.close(code, reason),
    onText: (listener) =>
      void socket.on("message", (data: RawData, isBinary: boolean) => {
        if (isBinary) socket.close(1_003, "text only");
        else listener(data.toString());
      }),
    onClose: (listener) => void socket.on("close", (code: number) => listener(code)),
  };
}
