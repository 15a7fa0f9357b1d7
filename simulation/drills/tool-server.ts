import { createServer } from "node:http";

/** The tools' server of a drill: it survives the service's death, and records every request. */
export type ToolServer = {
  readonly url: string;
  /** Idempotency-Keys in the order of their requests. */
  readonly keys: () => readonly string[];
  readonly stop: () => Promise<void>;
};

export async function startToolServer(): Promise<ToolServer> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"] ?? ""));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ open_amount: "42.50 euros" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/accounts`,
    keys: () => keys,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
