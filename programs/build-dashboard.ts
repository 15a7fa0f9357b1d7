import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const BUILD = join(import.meta.dirname, "../dashboard/build.mjs");
const NOT_BUILT = "The dashboard was not built: ";
/** A build takes seconds; this ends one that hangs. */
const LONGEST_MILLIS = 180_000;

/**
 * Builds the dashboard if its sources changed, in a separate process beside the service. Resolves with null,
 * or with why it was not built.
 */
export function buildDashboardBeside(stop: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BUILD], {
      stdio: ["ignore", "ignore", "pipe"],
      signal: AbortSignal.any([stop, AbortSignal.timeout(LONGEST_MILLIS)]),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_096);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => {
      const line = said.split("\n").find((each) => each.startsWith(NOT_BUILT));
      resolve(line === undefined ? null : line.slice(NOT_BUILT.length));
    });
  });
}
