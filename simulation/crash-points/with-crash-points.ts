import { type Around, aroundEffects } from "./around.ts";
import type { CrashPoints } from "./crash-points.ts";

/** Wraps a port in its crash points; without any, as in production, it returns the port itself. */
export type WithCrashPoints = <P>(port: P, wrap: (port: P, around: Around) => P) => P;

export function withCrashPointsAt(points: CrashPoints | null): WithCrashPoints {
  if (points === null) return (port) => port;
  const around = aroundEffects(points);
  return (port, wrap) => wrap(port, around);
}
