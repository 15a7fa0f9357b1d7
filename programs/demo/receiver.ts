import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

export type CallEnded = {
  readonly callId: string;
  readonly contactId: string | null;
  readonly answeredBy: string | null;
  readonly isFinalAttempt: boolean;
  readonly status: string;
  readonly endReason: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
};

/** A company's own webhook receiver, with its counts. */
export type Receiver = {
  readonly url: string;
  /** Call it once, before the first delivery is expected. */
  trust(secret: string): void;
  /** Requests with a valid signature, repeats included. */
  verified(): number;
  refused(): number;
  /** Verified requests with an event that had come before. */
  repeated(): number;
  readonly startedCalls: ReadonlySet<string>;
  readonly endedCalls: ReadonlyMap<string, CallEnded>;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  let secret = "";
  const counts = { verified: 0, refused: 0, repeated: 0 };
  const seen = new Set<string>();
  const startedCalls = new Set<string>();
  const endedCalls = new Map<string, CallEnded>();

  const accept = (eventId: string, body: Buffer) => {
    counts.verified += 1;
    if (seen.has(eventId)) counts.repeated += 1;
    seen.add(eventId);
    const { event, data } = JSON.parse(body.toString("utf8"));
    if (event === "call.started") startedCalls.add(data.callId);
    if (event === "call.ended") endedCalls.set(data.callId, data);
  };

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const problem = whyRefused(request, body, secret);
    if (problem === null) accept(String(request.headers["x-service-event-id"]), body);
    else counts.refused += 1;
    response.writeHead(problem === null ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(problem === null ? { received: true } : { error: problem }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust: (given) => {
      secret = given;
    },
    verified: () => counts.verified,
    refused: () => counts.refused,
    repeated: () => counts.repeated,
    startedCalls,
    endedCalls,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** As docs/webhooks.md asks of a receiver; null: the request can be trusted. */
function whyRefused(request: IncomingMessage, body: Buffer, secret: string): string | null {
  const signature = request.headers["x-service-signature"];
  const timestamp = request.headers["x-service-timestamp"];
  if (typeof signature !== "string" || typeof timestamp !== "string") return "signature or timestamp missing";
  if (!(Math.abs(Date.now() - Number(timestamp)) <= 300_000)) return "timestamp too far off";
  const signed = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  const expected = Buffer.from(`sha256=${signed}`);
  const received = Buffer.from(signature);
  return expected.length === received.length && timingSafeEqual(expected, received)
    ? null
    : "wrong signature";
}
