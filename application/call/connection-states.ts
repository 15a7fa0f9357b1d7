import type { Metrics } from "../ports/metrics.ts";
import type { CallDialing } from "./call-dialing.ts";
import type { CarrierHealth } from "./carrier-health.ts";

/** unavailable: its carrier does not answer. slowed: it has too much to do. A connection that is well is not told. */
export type ConnectionStates = Readonly<Record<string, "unavailable" | "slowed">>;

/** By the key of each connection that is not well, as this process has seen it. */
export function connectionStates(
  carrierHealth: Pick<CarrierHealth, "away">,
  dialing: Pick<CallDialing, "slowed">,
): ConnectionStates {
  return Object.fromEntries([
    ...dialing.slowed().map((key) => [key, "slowed"] as const),
    ...carrierHealth.away().map(({ key }) => [key, "unavailable"] as const),
  ]);
}

/** Told when /metrics is asked. */
export function tellConnections(metrics: Metrics, states: ConnectionStates): void {
  const all = Object.values(states);
  for (const state of ["unavailable", "slowed"] as const)
    metrics.gauge("ringfold_connections_not_well", all.filter((each) => each === state).length, { state });
}
