import { join } from "node:path";
import type { Carrier, CarrierEventSink } from "../application/ports/carrier.ts";
import type { Clock } from "../application/ports/clock.ts";
import type { SocketEntrance } from "../application/ports/entrances.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import type { Conversations } from "../application/ports/voice-session.ts";
import type { CallId } from "../domain/shared/ids.ts";
import { type CallLiveness, createRelayEntrance } from "../infrastructure/voice/relay/relay-entrance.ts";
import { startInProcessTelephony } from "../simulation/carrier/in-process-telephony.ts";
import { type CarrierCallbacks, createCarrierCallbacks } from "../simulation/http/carrier-callbacks.ts";
import { createHttpTelephony, type HttpTelephony } from "../simulation/http/http-telephony.ts";
import { simulatedRelay } from "../simulation/http/simulated-relay.ts";

export type OpenTelephony = {
  readonly telephony: Carrier;
  /** null: the carrier is inside this process and needs no route. */
  readonly callbacks: CarrierCallbacks | null;
  /** WebSocket routes for the texts of its calls; none: inside this process. */
  readonly entrances: readonly SocketEntrance[];
  /**
   * Registers the callback address at the carrier, once it is known, and repeatedly: the carrier, or another
   * worker, may have restarted.
   */
  announce(ownUrl: string): void;
  /**
   * Closes the conversations of this process in order; another process continues them when the
   * callees connect again.
   */
  leave(): void;
  stop(): Promise<void>;
};

export type TelephonyOptions = {
  readonly simulator: {
    readonly url: string | null;
    readonly token: string | null;
    readonly seed: number;
    readonly speed: number;
  };
  /** Id of the installation that dials. */
  readonly installation: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  readonly livenessOf: (callId: CallId) => Promise<CallLiveness>;
};

export const CALLBACK_PATH = "/carrier/simulated/events";
const ANNOUNCE_EVERY_MILLIS = 5_000;

/**
 * The simulated carrier: the program at SIMULATOR_URL, else one inside this process with its
 * journal in DATA_DIR.
 */
export async function openTelephony(options: TelephonyOptions): Promise<OpenTelephony> {
  const { simulator, dataDir } = options;
  if (simulator.url !== null) return overHttp(options, simulator.url);
  const inProcess = await startInProcessTelephony({
    ...options,
    ...simulator,
    dataDir: join(dataDir, "carrier"),
  });
  const { telephony, leave, stop } = inProcess;
  return { telephony, callbacks: null, entrances: [], announce: () => undefined, leave, stop };
}

function overHttp(options: TelephonyOptions, url: string): OpenTelephony {
  const {
    simulator: { token },
    installation,
    clock,
    logger,
    sink,
  } = options;
  const telephony = createHttpTelephony({ url, clock, installation, token });
  const callbacks = createCarrierCallbacks({ clock, sink });
  const stopping = new AbortController();
  const relay = createRelayEntrance({ ...options, ...simulatedRelay(callbacks.secret, clock) });
  return {
    telephony,
    callbacks,
    entrances: [relay],
    leave: relay.leave,
    announce: (ownUrl) =>
      void announceAlways(
        { telephony, clock, logger, callbacks },
        `${ownUrl}${CALLBACK_PATH}`,
        stopping.signal,
      ),
    stop: async () => {
      stopping.abort();
      await telephony.close();
    },
  };
}

type Announcing = {
  readonly telephony: HttpTelephony;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly callbacks: CarrierCallbacks;
};

async function announceAlways(
  { telephony, clock, logger, callbacks }: Announcing,
  callbackUrl: string,
  stop: AbortSignal,
): Promise<void> {
  let registered = true;
  while (!stop.aborted) {
    const before: boolean = registered;
    registered = await telephony.register(callbackUrl, callbacks.secret).then(
      () => true,
      () => false,
    );
    if (before !== registered)
      logger.warn(
        { registered },
        registered ? "the carrier answers again" : "the carrier cannot be reached for its callbacks",
      );
    await clock.sleep(registered ? ANNOUNCE_EVERY_MILLIS : 500, stop);
  }
}
