import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { registerSocketEntrances, registerWebSockets } from "../../../api/socket-entrances.ts";
import type { CarrierEvent, OpenCarrier } from "../../../application/ports/carrier.ts";
import type { RequestEntrance } from "../../../application/ports/entrances.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import { openTwilio } from "../../../infrastructure/carriers/twilio/open-twilio.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import type { CallLiveness } from "../../../infrastructure/voice/relay/relay-entrance.ts";
import { type JournalEntry, journalEntries } from "../../../simulation/carrier/carrier-records.ts";
import { journalLines } from "../../../simulation/carrier/journal.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import {
  type FakeTwilio,
  type FakeTwilioOptions,
  startFakeTwilio,
} from "../../../simulation/twilio/fake-twilio.ts";
import { politeConversations } from "../voice/polite-conversations.ts";

export const ACCOUNT = { accountSid: `AC${"1".repeat(32)}`, authToken: "token-of-the-fake-0123456789abcd" };

/** The adapter with its routes over HTTP and a sink for its events; behind it the fake. */
export type TwilioHost = {
  readonly open: () => OpenCarrier;
  readonly fake: FakeTwilio;
  readonly publicUrl: string;
  readonly events: CarrierEvent[];
  readonly conversations: ReturnType<typeof politeConversations>;
  /** The sink refuses so many events. */
  refuseEvents(count: number): void;
  standings: Map<string, CallLiveness>;
  /** Calls whose next session the watchdog was told to wait for. */
  readonly due: readonly string[];
  journal(): Promise<JournalEntry[]>;
  /** Numbers to which lines were transferred. */
  transfers(): Promise<{ readonly callId: string; readonly to: string }[]>;
  /** Another process opens the carrier at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export type TwilioHostOptions = Partial<
  Pick<FakeTwilioOptions, "speed" | "callsPerSecond" | "faults" | "outcome" | "ownedNumbers" | "seed">
> & {
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly authToken?: string;
  readonly accountSid?: string;
  /** Where the adapter sends its requests instead of to the fake itself. */
  readonly apiUrl?: (fakeUrl: string) => string;
};

function livenessIn(events: readonly CarrierEvent[], callId: string): CallLiveness {
  const end = events.find((event) => event.callId === callId && event.type === "ended");
  if (end?.type !== "ended") return "live";
  return end.endReason === "transferred" ? "transferred" : "ended";
}

const transferLine = z.object({ kind: z.literal("transfer"), callId: z.string(), to: z.string() });
const LOOPBACK = ["127.0.0.0/8"];

export async function startTwilioHost(options: TwilioHostOptions = {}): Promise<TwilioHost> {
  const dataDir = await mkdtemp(join(tmpdir(), "twilio-"));
  const fake = await startFakeTwilio({
    clock: systemClock,
    host: "127.0.0.1",
    port: 0,
    dataDir,
    account: ACCOUNT,
    seed: options.seed ?? 1,
    speed: options.speed ?? 20,
    callsPerSecond: options.callsPerSecond ?? 1_000,
    ownedNumbers: options.ownedNumbers ?? null,
    faults: options.faults ?? {},
    ...(options.outcome === undefined ? {} : { outcome: options.outcome }),
  });
  const events: CarrierEvent[] = [];
  const conversations = politeConversations();
  const due: string[] = [];
  const standings = new Map<string, CallLiveness>();
  const egress = openEgress(LOOPBACK);
  let refusals = 0;
  let publicUrl = "";
  const openAgain = () =>
    openTwilio({
      installation: "here",
      processId: "one",
      clock: systemClock,
      logger: options.logger ?? silentLogger,
      metrics: options.metrics ?? silentMetrics,
      sink: async (event) => {
        if (refusals > 0) {
          refusals -= 1;
          throw new Error("not now");
        }
        if (!events.some(({ dedupeKey }) => dedupeKey === event.dedupeKey)) events.push(event);
      },
      conversations,
      livenessOf: async (callId) => standings.get(callId) ?? livenessIn(events, callId),
      sessionsBegun: async (callId) => conversations.talks.filter((talk) => talk.callId === callId).length,
      sessionIsDue: async (callId) => void due.push(callId),
      speakerOf: async () => null,
      publicUrl: () => publicUrl,
      connection: { key: "twilio", connectionId: null, owner: null },
      settings: {
        accountSid: options.accountSid ?? ACCOUNT.accountSid,
        callsPerSecond: 3,
        baseUrl: options.apiUrl?.(fake.url) ?? fake.url,
      },
      secret: options.authToken ?? ACCOUNT.authToken,
      egress: { fetch: egress.ofOwners, policy: egress.policy, resolve: egress.resolve },
    });
  let carrier = await openAgain();
  let service = await listening(carrier, 0);
  publicUrl = addressOf(service);
  const port = Number(new URL(publicUrl).port);
  return {
    open: () => carrier,
    fake,
    publicUrl,
    events,
    conversations,
    standings,
    due,
    refuseEvents: (count) => {
      refusals = count;
    },
    journal: () => Array.fromAsync(journalEntries(join(dataDir, "journal.jsonl"))),
    transfers: async () => {
      const lines = await Array.fromAsync(journalLines(join(dataDir, "journal.jsonl")));
      return lines.flatMap((line) => {
        const transfer = transferLine.safeParse(line);
        return transfer.success ? [{ callId: transfer.data.callId, to: transfer.data.to }] : [];
      });
    },
    restart: async () => {
      await service.close();
      await carrier.stop();
      carrier = await openAgain();
      service = await listening(carrier, port);
    },
    stop: async () => {
      await fake.stop();
      await service.close();
      await carrier.stop();
      await egress.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function listening(carrier: OpenCarrier, port: number): Promise<FastifyInstance> {
  const service = fastify({ forceCloseConnections: true });
  service.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  service.get("/health/live", async () => ({ status: "ok" }));
  for (const entrance of carrier.requests) mount(service, entrance);
  registerWebSockets(service);
  service.register(async (scoped) => registerSocketEntrances(scoped, carrier.sockets));
  await service.listen({ host: "127.0.0.1", port });
  return service;
}

function addressOf(service: FastifyInstance): string {
  const address = service.server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return `http://127.0.0.1:${address.port}`;
}

function mount(service: FastifyInstance, { method, path, answer }: RequestEntrance): void {
  service.route({
    method,
    url: path,
    handler: async ({ url, headers, params, query, body }, reply) => {
      const {
        status,
        contentType,
        body: text,
      } = await answer({
        method,
        url,
        headers,
        params: params as Record<string, string>,
        query: query as Record<string, string>,
        rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      });
      if (contentType !== null) reply.type(contentType);
      return reply.code(status).send(text);
    },
  });
}

/** A call at Twilio with a random name. */
export function someSid(prefix: "CA" | "RE"): string {
  return `${prefix}${randomBytes(16).toString("hex")}`;
}
