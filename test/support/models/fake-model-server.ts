import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeAnswer } from "./fake-answer.ts";

export type AskedModel = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  /** The parsed body; null for GET. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Resolves when the connection of this request was closed before its answer was over. */
  readonly leftByClient: Promise<void>;
};

export type FakeModelServer = {
  /** With `/v1`. */
  readonly url: string;
  readonly asked: AskedModel[];
  /** How many connections were made. */
  connections(): number;
  close(): Promise<void>;
};

/**
 * An OpenAI-compatible server over real HTTP. `answer` decides each chat completion; GET /v1/models answers
 * `models`, or its status.
 */
export async function fakeModelServer(
  answer: (asked: AskedModel, count: number) => FakeAnswer,
  models: readonly string[] | number = ["fake-1", "fake-2"],
): Promise<FakeModelServer> {
  const asked: AskedModel[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const { resolve, promise: leftByClient } = Promise.withResolvers<void>();
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
    const text = await textOf(request);
    const body = text === "" ? null : JSON.parse(text);
    const { url: path = "/", headers, rawHeaders } = request;
    const question = { path, headers, rawHeaders, body, leftByClient };
    asked.push(question);
    if (path === "/v1/models") return sendModels(response, models);
    if (path !== "/v1/chat/completions") return void response.writeHead(404).end();
    await send(response, answer(question, asked.length));
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function sendModels(response: ServerResponse, models: readonly string[] | number): void {
  const status = typeof models === "number" ? models : 200;
  const data = typeof models === "number" ? [] : models.map((id) => ({ id, object: "model" }));
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ object: "list", data }));
}

async function send(response: ServerResponse, answer: FakeAnswer): Promise<void> {
  if (answer.kind === "status") {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(
      answer.body ?? JSON.stringify({ error: { message: "key sk-secret was refused", type: "x" } }),
    );
    return;
  }
  if (answer.kind === "raw") {
    response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
    return;
  }
  if (answer.kind === "document") {
    response.writeHead(200, { "content-type": answer.contentType }).end(answer.body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (answer.pauseMillis !== undefined) await new Promise((done) => setTimeout(done, answer.pauseMillis));
  for (const data of answer.events) response.write(`data: ${data}\n\n`);
  if (answer.then === "end") response.end();
  if (answer.then === "die") setImmediate(() => response.socket?.destroy());
}
