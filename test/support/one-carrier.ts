import type { Carrier } from "../../application/ports/carrier.ts";
import type { Carriers, CarrierWay } from "../../application/ports/carriers.ts";

/** An installation that has this carrier and no other. */
export function oneCarrier(carrier: Carrier): Carriers {
  const routeOf = (way: CarrierWay) => ({
    ...way,
    carrier,
    turn: { key: way.key, callsPerSecond: carrier.can.callsPerSecond, maxConcurrentCalls: null },
  });
  const wayOf: Carriers["wayOf"] = (owner, connectionId) => ({
    key: connectionId ?? carrier.kind,
    owner,
    connectionId,
  });
  return {
    wayOf,
    route: async (owner, connectionId) => routeOf(wayOf(owner, connectionId)),
    dialledOn: async () => carrier,
    every: async () => [],
  };
}
