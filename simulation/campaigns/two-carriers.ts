import type { Carrier } from "../../application/ports/carrier.ts";
import type { CarrierRoute, Carriers } from "../../application/ports/carriers.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { FaultyCarrier } from "./faulty-carrier.ts";

/** The installation's default carrier, and the one of a connection; null: there is none. */
export type FaultyCarriers = { readonly own: FaultyCarrier; readonly second: FaultyCarrier | null };

export const SECOND_CONNECTION: ConnectionId = "conn_second";

const UNLIMITED = {
  kind: "simulated",
  audio: false,
  callsPerSecond: null,
  maxConcurrentCalls: null,
} as const;

export function bothOf({ own, second }: FaultyCarriers): readonly FaultyCarrier[] {
  return second === null ? [own] : [own, second];
}

/** As one process sees them: look-ups go only to the carrier of the dial. */
export function carriersOf({ own, second }: FaultyCarriers, seenBy: (carrier: Carrier) => Carrier): Carriers {
  const ownSeen = seenBy(own.telephony);
  const secondSeen = second === null ? null : seenBy(second.telephony);
  const routeKeyOf = (owner: OwnerId, connectionId: ConnectionId | null) => ({
    key: connectionId ?? "simulated",
    owner,
    connectionId,
  });
  const behind = (connectionId: ConnectionId | null) => (connectionId === null ? ownSeen : secondSeen);
  return {
    routeKeyOf,
    route: async (owner, connectionId): Promise<CarrierRoute | null> => {
      const carrier = behind(connectionId);
      const routeKey = routeKeyOf(owner, connectionId);
      const turn = { ...UNLIMITED, key: routeKey.key };
      return carrier === null ? null : { ...routeKey, carrier, turn };
    },
    dialledOn: async (_owner, identity) => behind(identity?.connectionId ?? null),
    every: async () => [],
  };
}
