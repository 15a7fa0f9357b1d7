import { createHmac, timingSafeEqual } from "node:crypto";
import http from "node:http";
import process from "node:process";

/**
 * A receiver as a separate program: verifies every signature by the seed's rules, answers
 * 200 or 401, and counts.
 */
type Order = { readonly secrets?: Record<string, string>; readonly report?: true; readonly reset?: true };

let secrets: Record<string, string> = {};
let verified = 0;
let refused = 0;
const events = new Set<string>();

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const valid = isValid(request, Buffer.concat(chunks));
    if (valid) verified += 1;
    else refused += 1;
    const id = request.headers["x-service-event-id"];
    if (typeof id === "string") events.add(id);
    response.writeHead(valid ? 200 : 401, { "content-type": "application/json" });
    response.end(valid ? '{"received":true}' : '{"error":"refused"}');
  });
});

function isValid(request: http.IncomingMessage, body: Buffer): boolean {
  const signature = request.headers["x-service-signature"];
  const timestamp = request.headers["x-service-timestamp"];
  const secret = secrets[request.url ?? ""];
  if (typeof signature !== "string" || typeof timestamp !== "string" || secret === undefined) return false;
  if (!(Math.abs(Date.now() - Number(timestamp)) <= 300_000)) return false;
  const expected = `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}

process.on("message", (order: Order) => {
  if (order.secrets !== undefined) secrets = order.secrets;
  if (order.reset === true) {
    verified = 0;
    refused = 0;
    events.clear();
  }
  process.send?.({ verified, refused, different: events.size });
});
process.on("disconnect", () => process.exit(0));

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
});
