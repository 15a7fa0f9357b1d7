import { open } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";

/**
 * A webhook receiver that records every request, flushed, before it answers 200: its record is what
 * was really delivered.
 */
async function main(): Promise<void> {
  const record = await open(process.env["RECORD_FILE"] ?? "", "a");
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const line = { at: Date.now(), headers: request.headers, body: body.toString("base64") };
    await record.appendFile(`${JSON.stringify(line)}\n`);
    await record.datasync();
    response.writeHead(200, { "content-type": "application/json" }).end('{"received":true}');
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    process.stdout.write(`The receiver listens on http://127.0.0.1:${port}\n`);
  });
  process.once("SIGTERM", () => process.exit(0));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

await main();
