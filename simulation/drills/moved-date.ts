import { openSync, readSync } from "node:fs";
import process from "node:process";

/**
 * Loaded before a program (`--import`): its wall clock is the one in CLOCK_FILE (moved-clock.ts). Monotonic
 * clocks are not changed.
 */
const file = openSync(process.env["CLOCK_FILE"] ?? "", "r");
const machineNow = Date.now;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [movedNow()] : given, newTarget),
  get: (target, name, receiver) => (name === "now" ? movedNow : Reflect.get(target, name, receiver)),
});

function movedNow(): number {
  const stored = new Float64Array(2);
  readSync(file, stored, 0, stored.byteLength, 0);
  const [standsAt = 0, ahead = 0] = stored;
  return standsAt > 0 ? standsAt : machineNow() + ahead;
}
