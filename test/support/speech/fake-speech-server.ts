import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pcm24kOf } from "./pcm-24k.ts";
import { soundOf } from "./scripted-voice.ts";

/** What the server does with one request. */
export type SpeechAnswer =
  | { readonly kind: "speaks"; readonly ends?: "well" | "stall" | "die"; readonly firstAfterMillis?: number }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "document"; readonly contentType: string; readonly body: string | Uint8Array }
  | { readonly kind: "silent" };

export const OK: SpeechAnswer = { kind: "speaks" };
export const transcript = (value: object): SpeechAnswer => ({
  kind: "document",
  contentType: "application/json",
  body: JSON.stringify(value),
});

export type AskedSpeech = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** Resolves when the connection of this request was closed before its answer was over. */
  readonly leftByClient: Promise<void>;
};

export type FakeSpeechServer = {
  /** With `/v1`. */
  readonly url: string;
  readonly asked: AskedSpeech[];
  close(): Promise<void>;
};

/**
 * An OpenAI-compatible server for speech over real HTTP. What it speaks is the sound of
 * test/support/speech/scripted-voice.ts.
 */
export async function fakeSpeechServer(
  answer: (asked: AskedSpeech, count: number) => SpeechAnswer,
): Promise<FakeSpeechServer> {
  const asked: AskedSpeech[] = [];
  const server = createServer(async (request, response) => {
    const { resolve, promise: leftByClient } = Promise.withResolvers<void>();
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
    const body = await bytesOf(request);
    const question = { path: request.url ?? "", headers: request.headers, body, leftByClient };
    asked.push(question);
    await send(response, question, answer(question, asked.length));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function send(response: ServerResponse, { body }: AskedSpeech, answer: SpeechAnswer): Promise<void> {
  if (answer.kind === "silent") return;
  if (answer.kind === "status") {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    return void response.end(JSON.stringify({ error: { message: "key sk-secret was refused" } }));
  }
  if (answer.kind === "document")
    return void response.writeHead(200, { "content-type": answer.contentType }).end(answer.body);
  const { input } = JSON.parse(body.toString("utf8"));
  const sound = pcm24kOf(soundOf(input));
  response.writeHead(200, { "content-type": "audio/pcm" }).flushHeaders();
  await new Promise((done) => setTimeout(done, answer.firstAfterMillis ?? 0));
  // Cut anywhere, also within a sample.
  const cut = answer.ends === "stall" || answer.ends === "die" ? Math.floor(sound.length / 2) : sound.length;
  for (let at = 0; at < cut; at += 4_801) response.write(sound.subarray(at, Math.min(cut, at + 4_801)));
  if (answer.ends === "die") setImmediate(() => response.socket?.destroy());
  else if (answer.ends !== "stall") response.end();
}
