import type { Metrics } from "../ports/metrics.ts";
import type { CallDialing } from "./call-dialing.ts";
import type { CarrierHealth } from "./health/carrier-health.ts";

/**
 * unavailable: its carrier does not answer. slowed: its carrier is overloaded. Healthy
 * connections are left out.
 */
export type ConnectionStates = Readonly<Record<string, "unavailable" | "slowed">>;

/** By key, each connection that is not healthy, as far as this process knows. */
export function connectionStates(
  carrierHealth: Pick<CarrierHealth, "away">,
  dialing: Pick<CallDialing, "slowed">,
): ConnectionStates {
  return Object.fromEntries([
    ...dialing.slowed().map((key) => [key, "slowed"] as const),
    ...carrierHealth.away().map(({ key }) => [key, "unavailable"] as const),
  ]);
}

/** Called when /metrics is read. */
export function tellConnections(metrics: Metrics, states: ConnectionStates): void {
  const all = Object.values(states);
  for (const state of ["unavailable", "slowed"] as const)
    metrics.gauge("ringfold_connections_not_well", all.filter((each) => each === state).length, { state });
}
