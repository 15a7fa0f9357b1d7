import type { Clock } from "../../application/ports/clock.ts";
import type { UpgradeRequest } from "../../application/ports/entrances.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { isRelayToken } from "./callback-signature.ts";

type Setup = { readonly customParameters?: Readonly<Record<string, unknown>> | undefined };

/**
 * What is its own at the relay of the carrier program: path, token by the secret of the registration, and
 * line time that may run faster than real time.
 */
export function simulatedRelay(secret: string, clock: Clock) {
  return {
    path: "/carrier/simulated/:callId/relay",
    isFromCarrier: (callId: CallId, { query }: UpgradeRequest): boolean =>
      isRelayToken(secret, callId, query["token"] ?? "", clock.nowMillis()),
    speedOf: ({ customParameters }: Setup): number => {
      const speed = Number(customParameters?.["speed"]);
      return speed >= 0.001 && speed <= 1_000_000 ? speed : 1;
    },
  };
}
