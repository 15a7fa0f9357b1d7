import { once } from "node:events";
import net from "node:net";

/** A receiver on a free port of 127.0.0.1 that does with each raw connection whatever a test wants. */
export type RawReceiver = {
  readonly port: number;
  readonly url: string;
  /** Every socket that was ever accepted. */
  readonly sockets: readonly net.Socket[];
  close(): Promise<void>;
};

export async function rawReceiver(onConnection: (socket: net.Socket) => void): Promise<RawReceiver> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/hook`,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Calls `onRequest` for each complete request of a connection (requests carry a Content-Length or no body).
 */
export function onEachRequest(socket: net.Socket, onRequest: (count: number, raw: string) => void): void {
  let pending = "";
  let count = 0;
  socket.on("data", (chunk) => {
    pending += chunk.toString("latin1");
    for (let end = endOfRequest(pending); end !== null; end = endOfRequest(pending)) {
      const raw = pending.slice(0, end);
      pending = pending.slice(end);
      count += 1;
      onRequest(count, raw);
    }
  });
}

function endOfRequest(text: string): number | null {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  const end = head + 4 + Number(length?.[1] ?? 0);
  return text.length >= end ? end : null;
}
