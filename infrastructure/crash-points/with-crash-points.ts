import { type Around, aroundEffects } from "./around.ts";
import type { CrashPoints } from "./crash-points.ts";

/** Wraps a port in its crash points where there are any, and is the port itself where there are none, as in production. */
export type WithCrashPoints = <P>(port: P, wrap: (port: P, around: Around) => P) => P;

export function withCrashPointsAt(points: CrashPoints | null): WithCrashPoints {
  if (points === null) return (port) => port;
  const around = aroundEffects(points);
  return (port, wrap) => wrap(port, around);
}
