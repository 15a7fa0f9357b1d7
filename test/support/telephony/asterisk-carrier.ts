import type { CarrierEvent, CarrierFinding, OpenCarrier } from "../../../application/ports/carrier.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Speech } from "../../../application/ports/speech.ts";
import type { Conversations } from "../../../application/ports/voice-session.ts";
import { openAsterisk } from "../../../infrastructure/carriers/asterisk/open-asterisk.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { politeConversations } from "../voice/polite-conversations.ts";
import type { AsteriskServer } from "./asterisk-server.ts";

export type OpenedCarrier = OpenCarrier & {
  /** Resolves when dials are taken; rejects with what is wrong instead. */
  ready(): Promise<void>;
  /** As a process that is killed: nothing is told any more, to nobody. */
  die(): Promise<void>;
};

export type CarrierOptions = {
  readonly context?: string;
  readonly password?: string;
  readonly processId?: string;
  /** In place of Asterisk's own: a proxy before it. */
  readonly port?: number;
  readonly speech?: Speech;
  readonly conversations?: Conversations;
  readonly sink?: (event: CarrierEvent) => Promise<void>;
  readonly clock?: typeof systemClock;
  readonly metrics?: Metrics;
};

const QUIET: Speech = {
  voice: {
    speak: async function* () {
      yield new Uint8Array(800).fill(0xff);
    },
  },
  ear: null,
};

/** The adapter against a real Asterisk, as the service opens it. */
export async function openCarrierOn(
  { url, user, password }: Pick<AsteriskServer, "url" | "user" | "password">,
  options: CarrierOptions = {},
): Promise<OpenedCarrier> {
  const egress = openEgress([]);
  const dead = new AbortController();
  const { sink = async () => undefined } = options;
  const opened = await openAsterisk({
    installation: "01990000-0000-7000-8000-000000000000",
    processId: options.processId ?? "ringfold",
    clock: options.clock ?? systemClock,
    logger: silentLogger,
    metrics: options.metrics ?? silentMetrics,
    sink: async (event) => {
      if (dead.signal.aborted) throw new Error("nobody listens any more");
      await sink(event);
    },
    conversations: options.conversations ?? politeConversations(),
    livenessOf: async () => "live",
    sessionIsDue: async () => undefined,
    sessionsBegun: async () => 0,
    speakerOf: async () => null,
    publicUrl: () => "http://localhost",
    connection: { key: "asterisk", connectionId: null, owner: null },
    settings: {
      url: options.port === undefined ? url : `http://127.0.0.1:${options.port}`,
      user,
      context: options.context ?? "ringfold-dial",
      callsPerSecond: null,
      maxConcurrentCalls: null,
    },
    secret: options.password ?? password,
    egress: {
      fetch: egress.ofInstallation,
      policy: openEgress(["0.0.0.0/0"]).policy,
      resolve: egress.resolve,
    },
    speech: options.speech ?? QUIET,
  });
  return {
    ...opened,
    ready: async () => {
      await eventually("the way to Asterisk", () => opened.carrier.available(), 15_000).catch(
        async (error) => {
          throw new Error(`${error}: ${failed(await opened.check())}`);
        },
      );
    },
    die: async () => {
      dead.abort();
      await opened.stop();
    },
  };
}

function failed(findings: readonly CarrierFinding[]): string {
  return findings.flatMap(({ name, ok, detail }) => (ok ? [] : [`${name}: ${detail}`])).join("; ");
}
