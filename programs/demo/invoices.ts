import { createServer } from "node:http";

/** A company's own server, which the demo's assistants query. */
export type Invoices = {
  readonly url: string;
  /** Number of requests. */
  readonly asked: () => number;
  readonly stop: () => Promise<void>;
};

export async function startInvoices(): Promise<Invoices> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ open_amount: "42.50 euros", due: "the last day of this month" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
