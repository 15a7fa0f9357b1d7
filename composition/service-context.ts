import type { Logger } from "../application/ports/logger.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import type { Config } from "../infrastructure/config.ts";
import type { Around } from "../simulation/crash-points/around.ts";
import type { Stores } from "./open-stores.ts";

/** Closes what was opened, in reverse order. */
export type Closing = (() => Promise<unknown> | unknown)[];

type CrashingPorts = typeof import("../simulation/crash-points/crashing-ports.ts");

/** Wraps a port in its crash points; without any, as in production, it returns the port itself. */
export type WithCrashPoints = <P>(
  port: P,
  wrapOf: (ports: CrashingPorts) => (port: P, around: Around) => P,
) => P;

/** Crash points are loaded only for a drill (`CRASH_AT`). */
export async function openCrashPoints(crashAt: string | null): Promise<WithCrashPoints> {
  if (crashAt === null) return (port) => port;
  const { crashPointsOf } = await import("../simulation/crash-points/crash-points.ts");
  const { withCrashPointsAt } = await import("../simulation/crash-points/with-crash-points.ts");
  const ports = await import("../simulation/crash-points/crashing-ports.ts");
  const withPoints = withCrashPointsAt(crashPointsOf(crashAt));
  return (port, wrapOf) => withPoints(port, wrapOf(ports));
}

/** Shared by all parts of the service while it is composed. */
export type ServiceContext = {
  readonly config: Config;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly withCrashPoints: WithCrashPoints;
  readonly closing: Closing;
};
