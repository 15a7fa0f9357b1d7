import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { registerSocketEntrances, registerWebSockets } from "../../../api/socket-entrances.ts";
import type { Carrier, CarrierCall, CarrierEvent, PlaceCall } from "../../../application/ports/carrier.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createRelayEntrance } from "../../../infrastructure/voice/relay/relay-entrance.ts";
import { type JournalEntry, journalEntries } from "../../../simulation/carrier/carrier-records.ts";
import { startInProcessTelephony } from "../../../simulation/carrier/in-process-telephony.ts";
import { journalPath } from "../../../simulation/carrier/simulated-carrier.ts";
import { createCarrierCallbacks } from "../../../simulation/http/carrier-callbacks.ts";
import { startCarrierServer } from "../../../simulation/http/carrier-server.ts";
import { createHttpTelephony } from "../../../simulation/http/http-telephony.ts";
import { simulatedRelay } from "../../../simulation/http/simulated-relay.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { politeConversations, type Talked } from "../../support/voice/polite-conversations.ts";

/** The simulated carrier with somebody who listens. */
export type CarrierHarness = {
  readonly telephony: Carrier;
  readonly events: CarrierEvent[];
  /** Sessions that came in. */
  readonly talks: readonly Talked[];
  /** No conversation is opened for the next so many sessions. */
  refuseTalks(count: number): void;
  /** Refuses that many events before it takes one. */
  refuse(count: number): void;
  journal(): Promise<JournalEntry[]>;
  /** `installation`: whose dials they are from then on; else as before. */
  restart(installation?: string): Promise<CarrierHarness>;
  /** Who may read the journal. */
  journalMode(): Promise<number>;
  /** Lets everybody read it, as an earlier release did. */
  loosen(): Promise<void>;
  stop(): Promise<void>;
};

type Listener = {
  readonly events: CarrierEvent[];
  readonly conversations: ReturnType<typeof politeConversations>;
  refusals: number;
  readonly sink: (event: CarrierEvent) => Promise<void>;
};

function listener(events: CarrierEvent[]): Listener {
  const self: Listener = {
    events,
    conversations: politeConversations(),
    refusals: 0,
    sink: async (event) => {
      if (self.refusals > 0) {
        self.refusals -= 1;
        throw new Error("not now");
      }
      events.push(event);
    },
  };
  return self;
}

/** The program is started with it, and asked with it. */
export const TOKEN = "a-token-of-both-sides";

export const LATEST = Number.MAX_SAFE_INTEGER;

export async function inProcessCarrier(
  speed: number,
  dataDir?: string,
  events: CarrierEvent[] = [],
): Promise<CarrierHarness> {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), "carrier-")));
  const heard = listener(events);
  const { telephony, stop } = await startInProcessTelephony({
    clock: systemClock,
    dataDir: dir,
    seed: 1,
    speed,
    sink: heard.sink,
    conversations: heard.conversations,
    logger: silentLogger,
  });
  return harness(heard, telephony, dir, stop, () => inProcessCarrier(speed, dir, events));
}

export async function carrierProgram(
  speed: number,
  dataDir?: string,
  events: CarrierEvent[] = [],
  installation = "here",
): Promise<CarrierHarness> {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), "carrier-")));
  const heard = listener(events);
  const server = await startCarrierServer({
    clock: systemClock,
    host: "127.0.0.1",
    port: 0,
    dataDir: dir,
    seed: 1,
    speed,
    token: TOKEN,
  });
  const callbacks = createCarrierCallbacks({ clock: systemClock, sink: heard.sink });
  const service = fastify({ forceCloseConnections: true });
  service.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  service.post("/carrier/simulated/events", async (request, reply) => {
    const answer = await callbacks.receive(request.headers, String(request.body));
    return reply.code(answer.status).send();
  });
  const relay = createRelayEntrance({
    ...simulatedRelay(callbacks.secret, systemClock),
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    conversations: heard.conversations,
    livenessOf: async () => "live",
  });
  registerWebSockets(service);
  service.register(async (scoped) => registerSocketEntrances(scoped, [relay]));
  const address = await service.listen({ host: "127.0.0.1", port: 0 });
  const telephony = createHttpTelephony({
    url: server.url,
    clock: systemClock,
    installation,
    token: TOKEN,
  });
  await telephony.register(`${address}/carrier/simulated/events`, callbacks.secret);
  const stop = async () => {
    await telephony.close();
    await server.stop();
    await service.close();
  };
  return harness(heard, telephony, dir, stop, (whose) => carrierProgram(speed, dir, events, whose));
}

function harness(
  heard: Listener,
  telephony: Carrier,
  dir: string,
  stop: () => Promise<void>,
  again: (installation?: string) => Promise<CarrierHarness>,
): CarrierHarness {
  return {
    telephony,
    events: heard.events,
    talks: heard.conversations.talks,
    refuseTalks: heard.conversations.refuse,
    refuse: (count) => {
      heard.refusals = count;
    },
    journal: () => Array.fromAsync(journalEntries(journalPath(dir))),
    restart: async (installation) => {
      await stop();
      return again(installation);
    },
    journalMode: async () => (await stat(journalPath(dir))).mode & 0o777,
    loosen: () => chmod(journalPath(dir), 0o644),
    stop: async () => {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

let made = 0;

export function dialRequest(to: PhoneNumber, changes: Partial<PlaceCall> = {}): PlaceCall {
  made += 1;
  return {
    callId: `call_${made}`,
    owner: "usr_1",
    assistantName: "First",
    from: "+15005550100",
    to,
    ringTimeoutSeconds: 45,
    maxDurationSeconds: 600,
    voicemailPolicy: "hang_up",
    recorded: true,
    dialBy: "2099-01-01T00:00:00.000Z",
    ...changes,
  };
}

/** A call as its carrier is asked about it. */
export function askedAbout(callId: PlaceCall["callId"], instance: string | null = null): CarrierCall {
  return { callId, carrierRef: null, instance, dialBy: "2026-09-01T10:00:15.000Z" };
}
