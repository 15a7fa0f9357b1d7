import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import fastify, { type FastifyInstance } from "fastify";
import { request } from "undici";
import type { Clock } from "../../application/ports/clock.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { putThroughRelay } from "../callee/relay-line.ts";
import { callsOf, journalEntries } from "../carrier/carrier-records.ts";
import type { EventDelivery } from "../carrier/deliver-timeline.ts";
import { journalPath, type SimulatedCarrier, startSimulatedCarrier } from "../carrier/simulated-carrier.ts";
import { relayToken, SIGNATURE_HEADER, signCallback, TIMESTAMP_HEADER } from "./callback-signature.ts";
import {
  type CallbackRegistration,
  callsQuerySchema,
  INSTALLATION_HEADER,
  JOURNAL_HEADER,
  journalSchema,
  parsePlaceCall,
  registrationSchema,
} from "./carrier-schemas.ts";
import { requireToken } from "./carrier-token.ts";

const CALLBACK_TIMEOUT_MILLIS = 10_000;

export type CarrierServer = { readonly url: string; readonly stop: () => Promise<void> };

/** The simulated carrier as a server of its own: its requests survive a crash of it and of the service. */
export async function startCarrierServer(options: {
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly seed: number;
  readonly speed: number;
  /** Every request must have it; null: not needed. */
  readonly token: string | null;
}): Promise<CarrierServer> {
  await mkdir(options.dataDir, { recursive: true });
  const callbacks = await openRegistration(join(options.dataDir, "callbacks.json"));
  const carrier = await startSimulatedCarrier({
    ...options,
    tell: deliveryByCallback(options.clock, callbacks),
    putThrough: putThroughRelay({
      ...options,
      addressOf: (callId) => relayAddress(options.clock, callbacks, callId),
    }),
  });
  const server = fastify({ bodyLimit: 1_048_576, forceCloseConnections: true });
  if (options.token !== null) server.addHook("onRequest", requireToken(options.token));
  addRoutes(server, carrier, callbacks, options.dataDir);
  const url = await server.listen({ host: options.host, port: options.port });
  return {
    url,
    stop: async () => {
      await server.close();
      await carrier.stop();
    },
  };
}

type Registration = {
  current(): CallbackRegistration | null;
  replace(next: CallbackRegistration): Promise<void>;
};

/** Stored on disk (it has a secret: mode 0600), so that a restarted carrier continues its callbacks. */
async function openRegistration(path: string): Promise<Registration> {
  const stored = await readFile(path, "utf8").catch(() => null);
  let current = stored === null ? null : registrationSchema.parse(JSON.parse(stored));
  return {
    current: () => current,
    replace: async (next) => {
      if (next.url === current?.url && next.secret === current.secret) return;
      current = next;
      await writeFile(path, JSON.stringify(next), { mode: 0o600 });
      await chmod(path, 0o600);
    },
  };
}

/** Next to the callbacks: `/carrier/simulated/<callId>/relay`. */
function relayAddress(clock: Clock, callbacks: Registration, callId: string): string | null {
  const registered = callbacks.current();
  if (registered === null) return null;
  const address = new URL(`${callId}/relay`, registered.url);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("token", relayToken(registered.secret, callId, clock.nowMillis()));
  return address.href;
}

function deliveryByCallback(clock: Clock, callbacks: Registration): EventDelivery {
  return async (events) => {
    const registered = callbacks.current();
    if (registered === null) throw new Error("nobody has registered for callbacks");
    const body = JSON.stringify({ events });
    const timestamp = String(clock.nowMillis());
    const headers = {
      "content-type": "application/json",
      [TIMESTAMP_HEADER]: timestamp,
      [SIGNATURE_HEADER]: signCallback(registered.secret, timestamp, body),
    };
    const answer = await request(registered.url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MILLIS),
    });
    await answer.body.dump();
    if (answer.statusCode < 200 || answer.statusCode > 299)
      throw new Error(`the service answered ${answer.statusCode}`);
  };
}

function addRoutes(
  server: FastifyInstance,
  carrier: SimulatedCarrier,
  callbacks: Registration,
  dataDir: string,
): void {
  server.get("/health", async () => ({ status: "ok", journal: carrier.id }));
  server.put("/callbacks", async (request, reply) => {
    const registration = registrationSchema.safeParse(request.body);
    if (!registration.success) return reply.code(400).send({ message: "url and secret are required" });
    await callbacks.replace(registration.data);
    return { registered: true, journal: carrier.id };
  });
  server.post("/calls", async (request, reply) => {
    const call = parsePlaceCall(request.body);
    if (call === null)
      return reply
        .code(400)
        .send({ endReason: "carrier_error", carrierCode: "SIM-400", message: "This is no dial request" });
    const meant = request.headers[JOURNAL_HEADER];
    if (meant !== undefined && meant !== carrier.id)
      return reply.code(409).send({ message: "This is another journal" });
    const { kind, ...answer } = await carrier.place(call, installationOf(request.headers));
    return reply.code(kind === "accepted" ? 201 : 422).send(answer);
  });
  server.post<{ Params: { callId: CallId } }>("/calls/:callId/hang-up", async ({ params, query }) => ({
    result: isElsewhere(carrier, query) ? "unknown" : await carrier.hangUp(params.callId),
  }));
  server.get<{ Params: { callId: CallId } }>("/calls/:callId", async ({ params, query }) =>
    isElsewhere(carrier, query) ? { kind: "ambiguous" } : carrier.lookup(params.callId),
  );
  server.get<{ Params: { ref: string } }>("/recordings/:ref", async ({ params }, reply) => {
    const sound = carrier.recording(params.ref);
    return sound === null ? reply.code(404).send() : reply.type("audio/wav").send(Buffer.from(sound));
  });
  server.delete<{ Params: { ref: string } }>("/recordings/:ref", async ({ params }, reply) => {
    await carrier.deleteRecording(params.ref);
    return reply.code(204).send();
  });
  server.get("/calls", async (request, reply) => {
    const query = callsQuerySchema.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ message: "installation and since are required" });
    const { installation, since } = query.data;
    return { calls: await callsOf(journalPath(dataDir), installation, since) };
  });
  server.get("/journal", async (_request, reply) =>
    reply.type("application/x-ndjson").send(Readable.from(journalText(dataDir))),
  );
}

/** The call is in another journal. */
function isElsewhere({ id }: SimulatedCarrier, query: unknown): boolean {
  const meant = journalSchema.safeParse(query);
  return meant.success && meant.data.journal !== id;
}

/** null: a service of an earlier release does not send it. */
function installationOf(headers: IncomingHttpHeaders): string | null {
  const installation = headers[INSTALLATION_HEADER];
  return typeof installation === "string" && installation !== "" ? installation : null;
}

async function* journalText(dataDir: string): AsyncGenerator<string> {
  for await (const entry of journalEntries(journalPath(dataDir))) yield `${JSON.stringify(entry)}\n`;
}
