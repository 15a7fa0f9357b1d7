import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createBodyGates } from "../../api/body/raw-body.ts";
import { readBody } from "../../api/body/read-body.ts";
import { errorHandler } from "../../api/error-handler.ts";
import { createExchange } from "../../api/exchange.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { recordingLogger } from "../support/recording-logger.ts";

const log = recordingLogger();
let server: ReturnType<typeof serving>;
beforeEach(async () => {
  server = serving();
  await server.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => server.close());

/** Reads bodies as the service does; `/waits` waits until its client goes, `/breaks` breaks then. */
function serving() {
  const api = Fastify({ logger: false });
  api.decorateRequest("exchange", null);
  api.addHook("onRequest", async (request, reply) => {
    request.exchange = createExchange(reply.raw);
  });
  api.setErrorHandler(errorHandler(log.logger));
  api.removeAllContentTypeParsers();
  const gates = createBodyGates();
  api.addContentTypeParser("*", (request, payload, done) => {
    readBody(gates, request, payload).then((body) => done(null, body), done);
  });
  api.post("/reads", async () => "done");
  const gone = async (signal: AbortSignal | undefined) =>
    new Promise<unknown>((resolve) => signal?.addEventListener("abort", () => resolve(signal.reason)));
  api.post("/waits", async (request) => {
    throw await gone(request.exchange?.signal());
  });
  api.post("/breaks", async (request) => {
    await gone(request.exchange?.signal());
    throw new Error("ours");
  });
  return api;
}

async function leaves(path: string, body: string): Promise<void> {
  const { port } = server.server.address() as AddressInfo;
  const before = log.lines.length;
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 10\r\n\r\n`;
  socket.write(head + body, () => setImmediate(() => socket.destroy()));
  await eventually("a line", () => log.lines.length > before);
}

it.each([
  ["while it sends a body", "/reads", "phone"],
  ["while its request waits", "/waits", "phone,name"],
])("a client that goes %s is told as such, and is no error of ours", async (_when, path, body) => {
  await leaves(path, body);
  expect(log.lines.at(-1)).toMatchObject({
    level: "info",
    message: "the client went away before its request was carried out",
    fields: { method: "POST", route: path },
  });
});

it("what breaks after its client went is an error of ours all the same", async () => {
  await leaves("/breaks", "phone,name");
  expect(log.lines.at(-1)).toMatchObject({ level: "error", message: "request failed" });
});
