import type {
  Carrier,
  CarrierCall,
  CarrierEventSink,
  PlaceCallResult,
} from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Conversations } from "../../../application/ports/voice-session.ts";
import { putThroughInProcess } from "./callee/in-process-line.ts";
import { RECORDS_ON_DEMAND } from "./recording.ts";
import { SIMULATED_ABILITIES, type SimulatedCarrier, startSimulatedCarrier } from "./simulated-carrier.ts";

export type InProcessTelephony = {
  readonly telephony: Carrier;
  /** Leaves every conversation; the calls go on. */
  readonly leave: () => void;
  readonly stop: () => Promise<void>;
};

/** The simulated carrier inside this process: same journal, same calls after a restart as the program of its own. */
export async function startInProcessTelephony(options: {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly seed: number;
  readonly speed: number;
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  readonly logger: Logger;
}): Promise<InProcessTelephony> {
  const { clock, sink } = options;
  const carrier = await startSimulatedCarrier({
    ...options,
    putThrough: putThroughInProcess(options),
    tell: async (events) => {
      await Promise.all(events.map((event) => sink(event)));
    },
  });
  return { telephony: overCarrier(carrier, clock), leave: carrier.leave, stop: carrier.stop };
}

function overCarrier(carrier: SimulatedCarrier, clock: Clock): Carrier {
  const isElsewhere = ({ instance }: CarrierCall) => instance !== null && instance !== carrier.id;
  return {
    kind: "simulated",
    can: SIMULATED_ABILITIES,
    instance: async () => carrier.id,
    placeCall: async (call, sendBy): Promise<PlaceCallResult> => {
      if (clock.monotonicMillis() > sendBy)
        return { kind: "unknown", cause: "too late to send", noAnswerAtAll: false };
      try {
        const placed = await carrier.place(call, null);
        return placed.kind === "accepted" ? placed : { ...placed, noAnswerAtAll: false };
      } catch (error) {
        return { kind: "unknown", cause: String(error), noAnswerAtAll: false };
      }
    },
    hangUp: async (call) =>
      isElsewhere(call) ? "unknown" : carrier.hangUp(call.callId).catch(() => "unknown" as const),
    lookup: async (call) => (isElsewhere(call) ? { kind: "ambiguous" } : carrier.lookup(call.callId)),
    callsSince: async () => ({ kind: "no_witness" }),
    ...RECORDS_ON_DEMAND,
    available: async () => true,
  };
}
