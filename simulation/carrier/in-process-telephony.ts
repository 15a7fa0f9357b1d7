import type {
  Carrier,
  CarrierCall,
  CarrierEventSink,
  PlaceCallResult,
} from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import { putThroughInProcess } from "../callee/in-process-line.ts";
import { SIMULATED_ABILITIES, type SimulatedCarrier, startSimulatedCarrier } from "./simulated-carrier.ts";

export type InProcessTelephony = {
  readonly telephony: Carrier;
  /** Closes every conversation; the calls go on. */
  readonly leave: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * The simulated carrier inside this process: same journal, and same calls after a restart, as
 * the separate program.
 */
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
    recording: async (ref) => {
      const sound = carrier.recording(ref);
      return sound === null
        ? { kind: "absent" }
        : { kind: "found", contentType: "audio/wav", bytes: once(sound) };
    },
    deleteRecording: (ref) =>
      carrier.deleteRecording(ref).then(
        () => "done",
        () => "unavailable",
      ),
    available: async () => true,
    refuses: async () => null,
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
