import { join } from "node:path";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { CarrierEventSink, Telephony } from "../../application/ports/telephony.ts";
import { type CarrierCallbacks, createCarrierCallbacks } from "./simulated/http/carrier-callbacks.ts";
import { createHttpTelephony, type HttpTelephony } from "./simulated/http/http-telephony.ts";
import { startInProcessTelephony } from "./simulated/in-process-telephony.ts";

export type OpenTelephony = {
  readonly telephony: Telephony;
  /** null: the carrier is inside this process and needs no route. */
  readonly callbacks: CarrierCallbacks | null;
  /** Tells the carrier where its callbacks go, as soon as that is known, and again and again: the carrier, or another worker, may have been restarted. */
  announce(ownUrl: string): void;
  stop(): Promise<void>;
};

export type TelephonyOptions = {
  readonly simulator: {
    readonly url: string | null;
    readonly token: string | null;
    readonly seed: number;
    readonly speed: number;
  };
  /** Whose dials they are. */
  readonly installation: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sink: CarrierEventSink;
};

export const CALLBACK_PATH = "/carrier/simulated/events";
const ANNOUNCE_EVERY_MS = 5_000;

/** The simulated carrier: the program at SIMULATOR_URL, else one inside this process with its journal in DATA_DIR. */
export async function openTelephony(options: TelephonyOptions): Promise<OpenTelephony> {
  const { simulator, clock, sink, dataDir } = options;
  if (simulator.url !== null) return overHttp(options, simulator.url);
  const inProcess = await startInProcessTelephony({
    ...simulator,
    clock,
    sink,
    dataDir: join(dataDir, "carrier"),
  });
  return { telephony: inProcess.telephony, callbacks: null, announce: () => undefined, stop: inProcess.stop };
}

function overHttp(
  { simulator: { token }, installation, clock, logger, sink }: TelephonyOptions,
  url: string,
): OpenTelephony {
  const telephony = createHttpTelephony({ url, clock, installation, token });
  const callbacks = createCarrierCallbacks({ clock, sink });
  const stopping = new AbortController();
  return {
    telephony,
    callbacks,
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
    await clock.sleep(registered ? ANNOUNCE_EVERY_MS : 500, stop);
  }
}
