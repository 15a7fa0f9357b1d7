import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

export type ProxiedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
};

export type CuttingProxy = {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  stop(): Promise<void>;
};

/**
 * Says of a request, and of what has come of its answer so far, how many bytes of it are passed on before the
 * connection is cut; null: all.
 */
export type Cut = (
  request: ProxiedRequest,
  requests: readonly ProxiedRequest[],
  answer: Buffer,
) => number | null;

/** Passes everything on to the service, and cuts answers where `cut` says so. */
export async function startCuttingProxy(service: string, cut: Cut): Promise<CuttingProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const seen = { method, path: url.split("?", 1)[0] ?? "", headers };
    requests.push(seen);
    const asked = request(`${service}${url}`, { method, headers });
    asked.on("error", () => outgoing.destroy());
    asked.on("response", (answer) => passOn(answer, outgoing, (soFar) => cut(seen, requests, soFar)));
    outgoing.on("close", () => asked.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function passOn(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  cutOf: (soFar: Buffer) => number | null,
): void {
  let soFar = Buffer.alloc(0);
  outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
  answer.on("data", (piece: Buffer) => {
    const passed = soFar.length;
    soFar = Buffer.concat([soFar, piece]);
    const end = cutOf(soFar);
    if (end === null) outgoing.write(piece);
    else outgoing.write(soFar.subarray(passed, end), () => outgoing.destroy());
  });
  answer.on("end", () => outgoing.end());
}
