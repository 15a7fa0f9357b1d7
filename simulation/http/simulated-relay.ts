import type { SocketEntrance } from "../../application/ports/entrances.ts";
import {
  createRelayEntrance,
  type RelayEntranceDeps,
} from "../../infrastructure/voice/relay/relay-entrance.ts";
import { isRelayToken } from "./callback-signature.ts";

const RELAY_PATH = "/carrier/simulated/:callId/relay";

type SimulatedRelayDeps = Omit<RelayEntranceDeps, "path" | "isFromCarrier" | "speedOf"> & {
  /** The secret of the registration. */
  readonly secret: string;
};

/** The relay of the carrier program: line time may run faster than real time. */
export function simulatedRelay(deps: SimulatedRelayDeps): SocketEntrance {
  return createRelayEntrance({
    ...deps,
    path: RELAY_PATH,
    isFromCarrier: (callId, { query }) =>
      isRelayToken(deps.secret, callId, query["token"] ?? "", deps.clock.nowMillis()),
    speedOf: ({ customParameters }) => {
      const speed = Number(customParameters?.["speed"]);
      return speed >= 0.001 && speed <= 1_000_000 ? speed : 1;
    },
  });
}
