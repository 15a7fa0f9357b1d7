import type { Carrier } from "../../application/ports/carrier.ts";
import type { Carriers, RouteKey } from "../../application/ports/carriers.ts";

/** An installation that has this carrier and no other. */
export function oneCarrier(carrier: Carrier): Carriers {
  const routeOf = (way: RouteKey) => ({
    ...way,
    carrier,
    turn: {
      key: way.key,
      kind: carrier.kind,
      audio: false,
      callsPerSecond: carrier.can.callsPerSecond,
      maxConcurrentCalls: null,
    },
  });
  const routeKeyOf: Carriers["routeKeyOf"] = (owner, connectionId) => ({
    key: connectionId ?? carrier.kind,
    owner,
    connectionId,
  });
  return {
    routeKeyOf,
    route: async (owner, connectionId) => routeOf(routeKeyOf(owner, connectionId)),
    dialledOn: async () => carrier,
    every: async () => [],
  };
}
